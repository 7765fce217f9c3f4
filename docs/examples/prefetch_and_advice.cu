/**
 * @file prefetch_and_advice.cu
 * @brief Telling the driver what you know. docs/managed.md quotes it.
 *
 * For nvcc and umcc, CUDA 13 or 12. Exit 0 when the sums are right, 1 when not, 2 when there is no device.
 */
#include "check.h"

#define N (1 << 20)
#define BYTES (N * sizeof(int))

#if CUDART_VERSION >= 13000
static const cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
#else /* a number, and no flags */
static const int gpu = 0;
#define cudaMemPrefetchAsync(p, bytes, where, flags, stream) cudaMemPrefetchAsync(p, bytes, where, stream)
#endif

__global__ void sum_up(const int *x, int n, unsigned long long *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(sum, (unsigned long long)x[i]);
}

int main(void)
{
    const unsigned long long expected = (unsigned long long)N * (N - 1) / 2;
    unsigned long long *sum;
    int *x;

    CHECK(cudaMallocManaged(&x, BYTES));
    CHECK(cudaMallocManaged(&sum, 2 * sizeof *sum));
    for (int i = 0; i < N; i++)
        x[i] = i;
    sum[0] = sum[1] = 0;

    //! [prefetch]
    // gpu is {cudaMemLocationTypeDevice, 0}: device 0
    CHECK(cudaMemPrefetchAsync(x, BYTES, gpu, 0, 0)); // all pages, in pieces of 2 MiB, without a fault
    sum_up<<<(N + 255) / 256, 256>>>(x, N, &sum[0]);
    //! [prefetch]
    CHECK(cudaDeviceSynchronize());
    x[0] = 0;

    //! [advice]
    CHECK(cudaMemAdvise(x, BYTES, cudaMemAdviseSetReadMostly, gpu)); // each side may keep a copy
    sum_up<<<(N + 255) / 256, 256>>>(x, N, &sum[1]);
    CHECK(cudaDeviceSynchronize());
    //! [advice]

    const bool right = sum[0] == expected && sum[1] == expected;
    printf("sums %llu and %llu: %s\n", sum[0], sum[1], right ? "right" : "WRONG");
    CHECK(cudaFree(x));
    CHECK(cudaFree(sum));
    return right ? 0 : 1;
}
