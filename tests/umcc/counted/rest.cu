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

/* The same 16 KiB again and again: the first level has them from the first pass on. */
__global__ void again(const float *a, int *out, int passes)
{
    float all = 0;
    for (int pass = 0; pass < passes; pass++)
        for (int i = threadIdx.x; i < 4096; i += blockDim.x)
            all += a[i];
    atomicAdd(out, all == 0);
}

/* Two instructions that are made equally often: the one that finds nothing is waited for. */
__global__ void table(const float *a, const float *small, int *out, int n)
{
    float all = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        all += a[i] * small[i * 37 & 4095];
    atomicAdd(out, all == 0);
}

/* More steps between barriers than a block has space for, with two threads that part from the others. What
 * comes behind them is a new instruction. */
__global__ void steps(float *a, int *out, int passes)
{
    __shared__ float tile[256];
    const int t = threadIdx.x;
    tile[t] = 0;
    for (int i = 0; i < passes; i++) {
        __syncthreads();
        float next = tile[(t + 1) % 256];
        if (t == 5 || t == 77)
            next += tile[t];
        __syncthreads();
        tile[t] = next;
    }
    for (int i = 0; i < 1024; i++)
        a[i * 256 + t] = tile[t];
    atomicAdd(out, tile[t] == 0);
}

static float time_of_steps(float *a, int *out, int passes)
{
    cudaEvent_t begin, end;
    float ms;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    steps<<<1, 256>>>(a, out, passes);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    return ms;
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
    again<<<1, 256>>>(a, out, 400);
    table<<<1, 256>>>(a, a, out, 1 << 20);
    const float longest = time_of_steps(a, out, 16000), middle = time_of_steps(a, out, 8000),
                least = time_of_steps(a, out, 4000);
    const float times = (longest - middle) / (middle - least);
    puts(times > 1.96f && times < 2.04f ? "as long as many steps" : "too long or too short");
    cudaMemcpy(&found, out, sizeof found, cudaMemcpyDeviceToHost);
    puts(found == 7 * 256 + 512 ? "right" : "wrong");
}
