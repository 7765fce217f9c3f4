/**
 * @file accept_initializers.cu
 * @brief Device variables with their values in parentheses, which could be parameters as well, and `alignas`.
 */
#include "check.h"

typedef int (*Function)(int);

struct Pair {
    int x, y;
    Pair() = default; /* nvcc wants it */
    __host__ __device__ constexpr Pair(int a, int b) : x(a), y(b)
    {
    }
};

constexpr int three = 3;

__device__ Function none(nullptr);
__device__ int(wrapped)(4);
__device__ int negative(-5), by_name(three), *pointer(&negative);
__device__ Pair pair(3, 4), copied(Pair(1, 2));
__constant__ Pair constant(5, 6);
__managed__ int managed(sizeof(int));
__device__ bool truth(true);
alignas(32) __device__ int aligned[4] = {1, 2, 3, 4};
__device__ alignas(16) float also_aligned[4];

/* These are functions. */
__device__ int twice(Pair);
__device__ int thrice(Pair(of_pair)), once(Pair &), by_function(int (*function)(int));

__device__ int twice(Pair p)
{
    return 2 * p.x;
}

__global__ void read(int *out)
{
    out[0] = none == nullptr;
    out[1] = wrapped;
    out[2] = negative + by_name + (pointer == &negative);
    out[3] = twice(pair) + copied.y;
    out[4] = constant.x * constant.y;
    out[5] = managed + truth;
    out[6] = (int)((size_t)aligned % 32 + (size_t)also_aligned % 16) + aligned[3];
}

int main()
{
    const int expected[] = {1, 4, -1, 8, 30, 5, 4};
    int *out = make_managed<int>(7);
    read<<<1, 1>>>(out);
    SYNC();
    for (int i = 0; i < 7; i++)
        CHECK(out[i] == expected[i]);
    return finish();
}
