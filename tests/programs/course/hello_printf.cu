// Hello from the device: printf in kernels and in device functions, with all that its formats can.
#include <cstdio>
#include <cstdint>

__global__ void helloCUDA(float f)
{
    if (threadIdx.x == 0)
        printf("Hello thread %d, f=%f\n", threadIdx.x, f);
}

__device__ int traced(const char *what, int value)
{
    printf("%s: %d\n", what, value);
    return value;
}

__global__ void formats(const void *null)
{
    int n = printf("%d %5d|%-5d|%05d %+d %u %x %X %#o\n", -1, 42, 42, 42, 7, 4000000000u, 255, 255, 8);
    printf("%lld %llu %lu %c %% %s\n", -5000000000ll, (unsigned long long)UINT64_MAX, sizeof(double), 'x',
           "text");
    printf("%.3f %8.2f %e %g %*.1f\n", 3.14159, 2.5, 12345.678, 1e-5, 8, 9.96);
    printf("%d arguments, null is %s\n", n, null == nullptr ? "null" : "not");
    if (traced("nested", 3) != 3)
        printf("wrong\n");
}

__global__ void order(int by)
{
    // every thread's own line; which comes first is nobody's promise, so they are sent one after another
    printf("[%d, %d] by %d\n", blockIdx.x, threadIdx.x, by);
}

int main()
{
    helloCUDA<<<1, 5>>>(1.2345f);
    cudaError_t e = cudaDeviceSynchronize();
    if (e == cudaSuccess) {
        formats<<<1, 1>>>(nullptr);
        e = cudaDeviceSynchronize();
    }
    for (int i = 0; i < 3 && e == cudaSuccess; i++) {
        order<<<1, 1>>>(i);
        e = cudaDeviceSynchronize();
    }
    if (e != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(e));
        return 1;
    }
    printf("done\n");
    return 0;
}
