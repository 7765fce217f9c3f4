/**
 * @file undefined_rows.cu
 * @brief The rows of undefined.def on the device. See undefined.h.
 */
#include <string.h>

#include "tests/conformance/undefined.h"

/* They are what is asked about. */
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"
#pragma GCC diagnostic ignored "-Wshift-count-negative"
#ifdef UMLAB_CUDA
#pragma nv_diag_suppress 39, 61, 62, 63, 68, 173, 179, 221, 550, 940
#endif

template <class T> static __device__ unsigned long long bits_of(T value)
{
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

/** An operand that the compiler does not know. */
template <class T> static __device__ T unknown(T value, const volatile unsigned char *zeros)
{
    unsigned long long bits = bits_of(value);
    T made;
    bits ^= zeros[0];
    memcpy(&made, &bits, sizeof made);
    return made;
}

__global__ void undefined_kernel(unsigned long long *from_memory, unsigned long long *constant,
                                 const volatile unsigned char *zeros)
{
    int row = 0;

#define ROW(name, A, value_a, B, value_b, R, expression)                                                     \
    {                                                                                                        \
        A a = unknown<A>(value_a, zeros);                                                                    \
        B b = unknown<B>(value_b, zeros);                                                                    \
        (void)b;                                                                                             \
        from_memory[row] = bits_of<R>((R)(expression));                                                      \
    }                                                                                                        \
    {                                                                                                        \
        A a = value_a;                                                                                       \
        B b = value_b;                                                                                       \
        (void)b;                                                                                             \
        constant[row] = bits_of<R>((R)(expression));                                                         \
    }                                                                                                        \
    row++;
#include "tests/conformance/undefined.def"
#undef ROW
}

extern "C" cudaError_t undefined_run(unsigned long long *from_memory, unsigned long long *constant)
{
    unsigned long long *results = NULL;
    unsigned char *zeros = NULL;
    const size_t bytes = UNDEFINED_MAX * sizeof *results;

    cudaMalloc((void **)&results, 2 * bytes);
    cudaMalloc((void **)&zeros, 64);
    cudaMemset(results, 0, 2 * bytes);
    cudaMemset(zeros, 0, 64);
    undefined_kernel<<<1, 1>>>(results, results + UNDEFINED_MAX, zeros);
    cudaMemcpy(from_memory, results, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(constant, results + UNDEFINED_MAX, bytes, cudaMemcpyDeviceToHost);
    cudaFree(zeros);
    cudaFree(results);
    return cudaGetLastError();
}

template <class T> static __device__ void touch(char *p, int offset, int writes)
{
    T *const at = (T *)(p + offset);

    if (writes)
        *at = T();
    else
        *(T *)(p + 256) = *at;
}

/** Reads or writes a value of `bytes` bytes at an offset. `where`: 0 global memory, 1 shared memory. */
__global__ void misaligned_kernel(char *global, int bytes, int offset, int writes, int where)
{
    __shared__ __align__(16) char shared[512];
    char *const p = where ? shared : global;

    if (bytes == 2)
        touch<short>(p, offset, writes);
    else if (bytes == 4)
        touch<int>(p, offset, writes);
    else if (bytes == 8)
        touch<long long>(p, offset, writes);
    else if (bytes == -8)
        touch<int2>(p, offset, writes);
    else if (bytes == 16)
        touch<float4>(p, offset, writes);
    else if (bytes == -4)
        atomicAdd((int *)(p + offset), 1);
    global[300] = shared[300];
}

extern "C" cudaError_t misaligned_run(int bytes, int offset, int writes, int where)
{
    char *p = NULL;

    cudaMalloc((void **)&p, 4096);
    misaligned_kernel<<<1, 1>>>(p, bytes, offset, writes, where);
    return cudaDeviceSynchronize();
}

/* A function that does not return what it promised. */
static __device__ __noinline__ int unfinished(int x)
{
    if (x > 1000)
        return 7;
}

__global__ void unfinished_kernel(int *out, int x)
{
    out[1] = unfinished(x);
    out[0] = 5;
}

extern "C" cudaError_t unfinished_run(int *ended)
{
    int *p = NULL;

    cudaMalloc((void **)&p, 64);
    cudaMemset(p, 0, 64);
    unfinished_kernel<<<1, 1>>>(p, 1);
    return cudaMemcpy(ended, p, sizeof *ended, cudaMemcpyDeviceToHost);
}
