/*
 * Pointers to device functions: in tables in device and constant memory, copied to the host and handed to a
 * kernel, as template arguments; also of functions that ask for threadIdx and that wait.
 */
#include "check.h"

typedef float (*operation)(float, float);
__device__ float add(float a, float b)
{
    return a + b;
}
__device__ float multiply(float a, float b)
{
    return a * b;
}
__device__ float who(float, float)
{
    return threadIdx.x * 10 + blockIdx.x;
}
__device__ float difference(float a, float b)
{
    __syncthreads();
    return a - b;
}
__device__ operation table[] = {add, multiply, who};
__constant__ operation constant_table[2] = {multiply, &who};
__device__ operation waits = difference;

__global__ void by_table(float *p)
{
    p[threadIdx.x] = table[threadIdx.x % 3](3, 4);
}
__global__ void by_constant_table(float *p)
{
    p[threadIdx.x] = constant_table[threadIdx.x % 2](3, 4);
}
__global__ void by_argument(float *p, operation f)
{
    p[threadIdx.x] = f(5, 2);
}
template <operation F> __global__ void by_template(float *p)
{
    p[threadIdx.x] = F(5, 2);
}
template <class F> __device__ float twice(F f, float a)
{
    return f(a, a);
}
__global__ void by_function(float *p)
{
    p[threadIdx.x] = twice(add, 2) + twice(who, 1);
}

int main()
{
    float *p = make_managed<float>(64);
    operation f = nullptr;
    by_table<<<1, 6>>>(p);
    SYNC();
    CHECK(p[0] == 7 && p[1] == 12 && p[2] == 20 && p[5] == 50);
    by_constant_table<<<1, 4>>>(p);
    SYNC();
    CHECK(p[0] == 12 && p[1] == 10 && p[3] == 30);
    CHECK(cudaMemcpyFromSymbol(&f, waits, sizeof f) == cudaSuccess);
    by_argument<<<1, 4>>>(p, f);
    SYNC();
    CHECK(p[0] == 3 && p[3] == 3);
    CHECK(cudaMemcpyFromSymbol(&f, table, sizeof f, 2 * sizeof f) == cudaSuccess);
    by_argument<<<1, 4>>>(p, f);
    SYNC();
    CHECK(p[0] == 0 && p[3] == 30);
    by_template<difference><<<1, 4>>>(p);
    SYNC();
    CHECK(p[0] == 3 && p[3] == 3);
    by_template<who><<<1, 4>>>(p);
    SYNC();
    CHECK(p[1] == 10);
    by_function<<<1, 4>>>(p);
    SYNC();
    CHECK(p[0] == 4 && p[3] == 34);
    return finish();
}
