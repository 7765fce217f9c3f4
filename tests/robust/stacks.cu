/**
 * @file stacks.cu
 * @brief Kernels whose threads need more stack than there is. A GPU ends them with an error; what the
 * simulator says, run.py reads.
 */
#include "robust.h"

#include <alloca.h>

__device__ __noinline__ int deeper(volatile int *x, int depth)
{
    volatile int frame[64];

    for (int i = 0; i < 64; i++)
        frame[i] = depth + i;
    if (depth > 0)
        frame[0] += deeper(x, depth - 1);
    return frame[0] + frame[depth % 64] + *x;
}

__global__ void recurses(int *x, int depth)
{
    x[threadIdx.x] = deeper(x + 1, depth);
}

__global__ void recurses_between_barriers(int *x, int depth)
{
    __syncthreads();
    if (threadIdx.x % 2 == 0)
        __syncwarp(0x55555555);
    x[threadIdx.x] = deeper(x + 1, depth);
    __syncthreads();
}

__global__ void takes_stack(int *x, int bytes)
{
    volatile char *mine = (volatile char *)alloca((size_t)bytes);

    for (int i = bytes - 1; i >= 0; i -= 512)
        mine[i] = (char)i;
    x[threadIdx.x] = mine[bytes / 2 - 1];
}

__global__ void takes_stack_between_barriers(int *x, int bytes)
{
    __syncthreads();
    if (threadIdx.x % 2 == 0)
        __syncwarp(0x55555555);
    volatile char *mine = (volatile char *)alloca((size_t)bytes);
    for (int i = bytes - 1; i >= 0; i -= 512)
        mine[i] = (char)i;
    __syncthreads();
    x[threadIdx.x] = mine[bytes / 2 - 1];
}

/* The launch fails, and stays failed: every later call says the same. */
static void fails(void (*kernel)(int *, int), int argument)
{
    int *x = NULL;

    NEED(cudaMalloc((void **)&x, 4096));
    kernel<<<2, 32>>>(x, argument);
    const cudaError_t error = cudaDeviceSynchronize();
    HOLDS(error != cudaSuccess, "the kernel ended well");
    HOLDS(cudaDeviceSynchronize() == error && cudaFree(x) == error, "not the same error again");
    printf("%s\n", cudaGetErrorName(error));
}

static void endless_recursion()
{
    fails(recurses, 100000000);
}

static void endless_recursion_between_barriers()
{
    fails(recurses_between_barriers, 100000000);
}

static void alloca_of_megabytes()
{
    fails(takes_stack, 64 << 20);
}

static void alloca_between_barriers()
{
    fails(takes_stack_between_barriers, 8 << 20);
}

static void alloca_of_800_KB_between_barriers()
{
    fails(takes_stack_between_barriers, 800000);
}

/* What fits has to work. */
static void depths_that_fit()
{
    int *x = managed_ints(1024);

    for (int depth = 1; depth <= 64; depth *= 2) {
        recurses<<<4, 32>>>(x, depth);
        NEED(cudaDeviceSynchronize());
        recurses_between_barriers<<<4, 32>>>(x, depth);
        NEED(cudaDeviceSynchronize());
    }
    gpu_works("after them");
}

ROBUST_CASES({"recursion", endless_recursion},
             {"recursion-between-barriers", endless_recursion_between_barriers},
             {"alloca", alloca_of_megabytes}, {"alloca-between-barriers", alloca_between_barriers},
             {"alloca-of-800-KB", alloca_of_800_KB_between_barriers}, {"depths-that-fit", depths_that_fit})
