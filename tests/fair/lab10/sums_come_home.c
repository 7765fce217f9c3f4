/* fair: the results are copied home by asynchronous copies, in streams; memory is of cudaMallocAsync, and
 * waited for by events */
#include "exercise.h"

struct adder {
    cudaStream_t stream;
    cudaEvent_t home;
    double *memory, *result;
};

static cudaError_t allocate(struct adder *adder, int d)
{
    const size_t bytes = (UM_SUM_BLOCKS + 1) * sizeof *adder->memory;
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess)
        error = cudaStreamCreate(&adder->stream);
    if (error == cudaSuccess)
        error = cudaEventCreate(&adder->home);
    if (error == cudaSuccess)
        error = cudaMallocAsync((void **)&adder->memory, bytes, adder->stream);
    return error;
}

static cudaError_t begin(struct adder *adder, int d, const float *x, size_t n)
{
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess)
        error = um_sum(adder->memory + UM_SUM_BLOCKS, adder->memory, x, n, adder->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(adder->result, adder->memory + UM_SUM_BLOCKS, sizeof *adder->result,
                                cudaMemcpyDeviceToHost, adder->stream);
    return error == cudaSuccess ? cudaEventRecord(adder->home, adder->stream) : error;
}

static void finish(struct adder *adder)
{
    if (adder->memory)
        cudaFreeAsync(adder->memory, adder->stream);
    if (adder->home)
        cudaEventDestroy(adder->home);
    if (adder->stream)
        cudaStreamDestroy(adder->stream);
}

cudaError_t sum_both(double *sum, const float *const x[2], const size_t n[2])
{
    struct adder adder[2] = {{NULL, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL}};
    double *results = NULL;
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);

    if (error != cudaSuccess)
        return error;
    error = cudaMallocHost((void **)&results, 2 * sizeof *results);
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        adder[d].result = results + d;
        results[d] = 0;
        if (n[d] > 0)
            error = allocate(&adder[d], d);
    }
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        if (n[d] > 0)
            error = begin(&adder[d], d, x[d], n[d]);
    }
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        if (adder[d].home)
            error = cudaEventSynchronize(adder[d].home);
    }
    if (error == cudaSuccess)
        *sum = results[0] + results[1];
    finish(&adder[0]);
    finish(&adder[1]);
    cudaFreeHost(results);
    if (cudaSetDevice(before) != cudaSuccess)
        cudaSetDevice(before);
    return error;
}
