// expect: Error: Race reported between
// expect: of 4 bytes of __shared__ memory
// expect: Lanes of a warp need not run in step: __syncwarp() between these lines
// errors: 30
// twin: -DRIGHT
// The last 32 elements are summed by one warp that is not in step.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void sum(const int *a, int *o)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t] + a[t + 64];
    __syncthreads();
    if (t < 32) {
#ifdef RIGHT
        for (int d = 32; d > 0; d /= 2) {
            int other = s[t + d];
            __syncwarp();
            s[t] += other;
            __syncwarp();
        }
#else
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
#endif
    }
    if (t == 0)
        *o = s[0];
}
int main()
{
    int h[128], *a, *o, r = 0;
    for (int i = 0; i < 128; i++)
        h[i] = 1;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&o, sizeof(int));
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(a, o);
    cudaMemcpy(&r, o, sizeof r, cudaMemcpyDeviceToHost);
    printf("sum=%d\n", r);
    cudaFree(a);
    cudaFree(o);
}
