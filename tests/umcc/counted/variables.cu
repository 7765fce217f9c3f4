/* Device variables with values, of which one is a function's address, beside more kernels than one: all are
 * counted (cases_counted.sh). */
#include <cstdio>

/* Of one type, so that they are registered by a function that gets the place of a variable of theirs. */
__global__ void add(int *a, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] += 5;
}
__global__ void subtract(int *a, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] -= 1;
}
__global__ void subtract_more(int *a, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] -= threadIdx.x ? 1 : 0;
}

static __device__ int step = 3;
__device__ float square(float x)
{
    return x * x;
}
typedef float (*function)(float);
static __device__ function chosen = square;

__global__ void count(int *a)
{
    for (int i = threadIdx.x; i < 4096; i += 32)
        a[i] = step * i;
}

__global__ void call(float *a)
{
    a[threadIdx.x] = chosen(3);
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 4096 * sizeof *a);
    count<<<1, 32>>>(a);
    add<<<1, 32>>>(a, 32);
    subtract<<<1, 32>>>(a, 32);
    subtract_more<<<1, 32>>>(a, 32);
    cudaDeviceSynchronize();
    const bool right = a[1] == 6 && a[4095] == 3 * 4095;
    call<<<1, 32>>>((float *)a);
    cudaDeviceSynchronize();
    puts(right && ((float *)a)[31] == 9 ? "right" : "wrong");
}
