// expect: Error: printf() of kernel hello, for which nobody waited
// expect: At its end it is lost
// expect: cudaDeviceSynchronize() before the program ends
// twin: -DRIGHT
// Nobody waits for a kernel that prints.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void hello()
{
    printf("hello from %d\n", threadIdx.x);
}
int main()
{
    hello<<<1, 4>>>();
#ifdef RIGHT
    cudaDeviceSynchronize();
    return 0;
#else
    return 0;
#endif
}
