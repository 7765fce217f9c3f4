/* fair: a stream for copies on each device; the rows that need no edge are worked on while it travels */
#include "exercise.h"

struct device {
    cudaStream_t kernels, copies;
    cudaEvent_t computed, sent;
};

static cudaError_t make(struct device *it, int d)
{
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&it->kernels, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&it->copies, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaEventCreate(&it->computed);
    return error == cudaSuccess ? cudaEventCreate(&it->sent) : error;
}

static void drop(struct device *it)
{
    if (it->sent)
        cudaEventDestroy(it->sent);
    if (it->computed)
        cudaEventDestroy(it->computed);
    if (it->copies)
        cudaStreamDestroy(it->copies);
    if (it->kernels)
        cudaStreamDestroy(it->kernels);
}

static cudaError_t send(struct device device[2], struct lab10_half half[2], size_t n, size_t row, int d,
                        int step)
{
    const float *seam = half[d].now + (d == 0 ? n - row : 0);
    cudaError_t error = cudaSetDevice(d);

    for (int k = 0; k < 2 && step > 0 && error == cudaSuccess; k++)
        error = cudaStreamWaitEvent(device[d].copies, device[k].computed, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyPeerAsync(half[1 - d].edge, 1 - d, seam, d, row * sizeof *seam, device[d].copies);
    return error == cudaSuccess ? cudaEventRecord(device[d].sent, device[d].copies) : error;
}

static cudaError_t inner(const struct device *it, const struct lab10_half *half, size_t n, size_t row, int d)
{
    const size_t first = d == 0 ? 0 : row;
    cudaError_t error = cudaSetDevice(d);

    return error == cudaSuccess
               ? um_smooth(half->next + first, half->now + first, d == 0 ? half->border : half->now,
                           d == 0 ? half->now + n - row : half->border, n - row, row, it->kernels)
               : error;
}

static cudaError_t seam(struct device device[2], struct lab10_half *half, size_t n, size_t row, int d)
{
    const size_t at = d == 0 ? n - row : 0;
    float *now = half->next;
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(device[d].kernels, device[1 - d].sent, 0);
    if (error == cudaSuccess)
        error = um_smooth(half->next + at, half->now + at, d == 0 ? half->now + at - row : half->edge,
                          d == 0 ? half->edge : half->now + row, row, row, device[d].kernels);
    half->next = half->now;
    half->now = now;
    return error == cudaSuccess ? cudaEventRecord(device[d].computed, device[d].kernels) : error;
}

cudaError_t smooth_both(struct lab10_half half[2], size_t n, size_t row, int steps)
{
    struct device device[2] = {{NULL, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL}};
    int before = 0;
    cudaError_t error = steps == 0 ? cudaSuccess : cudaGetDevice(&before);

    if (steps == 0 || error != cudaSuccess)
        return error;
    for (int d = 0; d < 2 && error == cudaSuccess; d++)
        error = make(&device[d], d);
    for (int step = 0; step < steps && error == cudaSuccess; step++) {
        for (int d = 0; d < 2 && error == cudaSuccess; d++)
            error = send(device, half, n, row, d, step);
        for (int d = 0; d < 2 && error == cudaSuccess; d++)
            error = inner(&device[d], &half[d], n, row, d);
        for (int d = 0; d < 2 && error == cudaSuccess; d++)
            error = seam(device, &half[d], n, row, d);
    }
    for (int d = 0; d < 2 && error == cudaSuccess; d++)
        error = cudaStreamSynchronize(device[d].kernels);
    drop(&device[0]);
    drop(&device[1]);
    if (cudaSetDevice(before) != cudaSuccess)
        cudaSetDevice(before);
    return error;
}
