// expect: kernel k was stopped: it took more than UMSIM_KERNEL_TIMEOUT allows
// expect: (an endless loop?)
// expect: instead  let it come to an end
// env: UMSIM_KERNEL_TIMEOUT=1
// twin: -DRIGHT
// A loop that never ends.
#include <cstdio>
#ifdef RIGHT
__global__ void k(int *a, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        a[i] = i;
}
#else
__global__ void k(int *a, int n)
{
    for (int i = threadIdx.x; i < n; i += 0 * blockDim.x)
        a[i] = i;
}
#endif
int main()
{
    int *a;
    cudaMalloc(&a, 400);
    k<<<1, 64>>>(a, 100);
    cudaDeviceSynchronize();
    printf("done\n");
    cudaFree(a);
}
