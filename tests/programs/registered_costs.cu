/**
 * @file registered_costs.cu
 * @brief A kernel that says nothing of what it reads takes as long over registered memory as over pinned
 * memory: all of it crosses the bus, in each launch.
 *
 * Exit 0 when that holds (within a half: on hardware times vary), 2 where memory cannot be registered, or not
 * reached.
 */
#include "need.h"

enum { N = 4 << 20, ROUNDS = 3 };

__global__ void sum(const int *from, int *to)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    to[i] += from[i];
}

/* The shortest of some launches, ms. */
static float time_of(const int *from, int *to)
{
    float best = 1e9f, ms;
    cudaEvent_t start, end;
    NEED(cudaEventCreate(&start));
    NEED(cudaEventCreate(&end));
    for (int round = 0; round < ROUNDS; round++) {
        NEED(cudaEventRecord(start));
        sum<<<N / 256, 256>>>(from, to);
        NEED(cudaEventRecord(end));
        NEED(cudaEventSynchronize(end));
        NEED(cudaEventElapsedTime(&ms, start, end));
        best = ms < best ? ms : best;
    }
    return best;
}

int main()
{
    const size_t bytes = N * sizeof(int);
    int *own = (int *)malloc(bytes + 4096), *pinned, *device, *to, supported = 0, last;
#ifdef __SANITIZE_ADDRESS__
    puts("AddressSanitizer: the GPU process does not know of heap blocks made after its start");
    return 2;
#endif
    NEED(cudaDeviceGetAttribute(&supported, cudaDevAttrHostRegisterSupported, 0));
    if (!supported) {
        puts("this device cannot register host memory");
        return 2;
    }
    NEED(cudaMallocHost((void **)&pinned, bytes));
    NEED(cudaMalloc((void **)&to, bytes));
    NEED(cudaMalloc((void **)&device, bytes));
    NEED(cudaMemset(to, 0, bytes));
    NEED(cudaMemset(device, 0, bytes));
    NEED(cudaHostRegister(own, bytes, cudaHostRegisterMapped));
    for (size_t i = 0; i < N; i++)
        own[i] = pinned[i] = 1;
    const float near = time_of(device, to), far = time_of(pinned, to), registered = time_of(own, to);
    HOLDS(far > 2 * near, "device memory %g ms, pinned %g ms", near, far);
    HOLDS(registered > far / 1.5f && registered < far * 1.5f, "pinned %g ms, registered %g ms", far,
          registered);
    NEED(cudaMemcpy(&last, to + N - 1, sizeof last, cudaMemcpyDeviceToHost));
    HOLDS(last == 2 * ROUNDS, "%d", last);
    NEED(cudaHostUnregister(own));
    return 0;
}
