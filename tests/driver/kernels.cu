/**
 * @file kernels.cu
 * @brief The module that the driver tests load.
 */
__device__ int counter = 5;
__device__ double table[10];
__constant__ float coefficients[4] = {1, 2, 3, 4};
__managed__ int shared_number = 7;
namespace inner
{
__device__ short hidden = 3;
}

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void count(int by)
{
    atomicAdd(&counter, by);
    if (by < 0)
        inner::hidden = 0;
}

extern "C" __global__ void mixed(char c, double d, short s, int *out)
{
    *out = c + (int)d + s;
}

extern "C" __global__ void scaled(float *out)
{
    out[threadIdx.x] = coefficients[threadIdx.x & 3] * 10 + (float)table[0];
}

extern "C" __global__ void shape(int *out)
{
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        atomicAdd(out, blockDim.x * 100 + blockDim.y * 10 + blockDim.z);
}

extern "C" __global__ void dynamic(int *out, int words)
{
    extern __shared__ int space[];
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        space[i] = i;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = space[words - 1];
}

extern "C" __global__ void nothing()
{
}

extern "C" __global__ void follow(int *p)
{
    *p = 1;
}

extern "C" __global__ void doubles(int *p)
{
    *p = 2 * shared_number;
}

struct pair {
    int first;
    double second;
};

extern "C" __global__ void structure(pair p, char last, double *out)
{
    *out = p.first + p.second + last;
}

__global__ void mangled(int *p)
{
    *p = 42;
}
