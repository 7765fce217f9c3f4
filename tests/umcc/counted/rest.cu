/* One block that loops, from shortly to long: most passes of a long loop are not looked at
 * (cases_counted.sh), and what threads do behind it comes when all that is counted whole is used up. */
#include <cstdio>
#include <cstdlib>

enum { ADDITIONS = 64 };

__global__ void sum(const float *a, int *out, size_t n)
{
    float all = 0;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        all += a[i];
    for (int k = 0; k < ADDITIONS; k++)
        atomicAdd(out, all == k);
}

int main()
{
    const size_t most = (size_t)1 << 23;
    float *a;
    int *out, found = 0;
    cudaMalloc(&a, most * sizeof *a);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(a, 0, most * sizeof *a);
    cudaMemset(out, 0, sizeof *out);
    sum<<<1, 256>>>(a, out, (size_t)1 << 12);
    sum<<<1, 256>>>(a, out, (size_t)1 << 17);
    sum<<<1, 512>>>(a, out, most);
    cudaMemcpy(&found, out, sizeof found, cudaMemcpyDeviceToHost);
    puts(found == 2 * 256 + 512 ? "right" : "wrong");
}
