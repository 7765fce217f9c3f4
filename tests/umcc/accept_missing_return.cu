/*
 * @file accept_missing_return.cu
 * @brief Functions that lack a `return`: a wrong value, as on a GPU, and nothing else.
 */
#include "check.h"

#pragma GCC diagnostic ignored "-Wreturn-type"

struct large {
    int a[20];
};
__device__ int sometimes(int x)
{
    if (x > 100)
        return 1;
}
__device__ __noinline__ int never(int)
{
}
__device__ __noinline__ large structure(int x)
{
    if (x > 100)
        return large();
}
__device__ __noinline__ int root(int x)
{
    for (int i = 0; i < x; i++)
        if (i * i == x)
            return i;
}
__device__ __noinline__ int &reference(int *x)
{
    if (*x > 7)
        return *x;
}
__device__ __noinline__ void behind(int *o)
{
    o[3] = 99;
    while (o[3])
        ;
}
template <class T> __device__ T of_template(T x)
{
    if (x > 5)
        return x;
}

__device__ void call_all(int *o)
{
    o[0] = sometimes(o[1]);
    o[2] = never(3) + of_template(1);
    large s = structure(o[1]);
    o[5] = s.a[3];
    o[6] = root(50);
    o[7] = root(49);
    o[10] = 10;
    reference(o + 10) += of_template(10);
    o[4]++;
}
__global__ void once(int *o)
{
    call_all(o);
}
__global__ void with_barriers(int *o)
{
    o[8] = never(4);
    __syncthreads();
    call_all(o);
    __syncthreads();
    o[9]++;
}

int main()
{
    int *o = make_managed<int>(16);
    once<<<1, 1>>>(o);
    with_barriers<<<1, 1>>>(o);
    SYNC();
    CHECK(o[3] == 0 && o[4] == 2 && o[7] == 7 && o[9] == 1 && o[10] == 20);
    return finish();
}
