/**
 * @file exercise.c
 * @brief Lab 10's exercises: exercise.h says what each function has to do, and `make grade LAB=10` checks it.
 */
#include "exercise.h"

// BEGIN SOLUTION
/* What each device needs: a stream, and two events that the other one waits for. */
struct worker {
    cudaStream_t stream;
    cudaEvent_t computed, sent;
};

static cudaError_t open_worker(struct worker *worker, int device)
{
    cudaError_t error = cudaSetDevice(device);

    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&worker->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&worker->computed, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&worker->sent, cudaEventDisableTiming);
    return error;
}

static void close_worker(struct worker *worker)
{
    if (worker->sent)
        cudaEventDestroy(worker->sent);
    if (worker->computed)
        cudaEventDestroy(worker->computed);
    if (worker->stream)
        cudaStreamDestroy(worker->stream);
}

/* Device `d` sends its row at the seam. In its stream its last kernel comes before; the other's last kernel
 * has to have used the row of then. */
static cudaError_t send_edge(struct worker worker[2], struct lab10_half half[2], size_t n, size_t row, int d,
                             int step)
{
    const float *seam = half[d].now + (d == 0 ? n - row : 0);
    const cudaStream_t stream = worker[d].stream;
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess && step > 0)
        error = cudaStreamWaitEvent(stream, worker[1 - d].computed, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyPeerAsync(half[1 - d].edge, 1 - d, seam, d, row * sizeof *seam, stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(worker[d].sent, stream);
    return error;
}

static cudaError_t compute(struct worker worker[2], const struct lab10_half *half, size_t n, size_t row,
                           int d)
{
    const float *above = d == 0 ? half->border : half->edge, *below = d == 0 ? half->edge : half->border;
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(worker[d].stream, worker[1 - d].sent, 0);
    if (error == cudaSuccess)
        error = um_smooth(half->next, half->now, above, below, n, row, worker[d].stream);
    return error;
}

/* After both have been told to wait for the step before: an event is of the last time that it was recorded.
 */
static cudaError_t end_step(struct worker *worker, struct lab10_half *half, int d)
{
    float *result = half->next;
    cudaError_t error = cudaSetDevice(d);

    half->next = half->now;
    half->now = result;
    return error == cudaSuccess ? cudaEventRecord(worker->computed, worker->stream) : error;
}

static cudaError_t one_step(struct worker worker[2], struct lab10_half half[2], size_t n, size_t row,
                            int step)
{
    cudaError_t error = cudaSuccess;

    for (int d = 0; d < 2 && error == cudaSuccess; d++)
        error = send_edge(worker, half, n, row, d, step);
    for (int d = 0; d < 2 && error == cudaSuccess; d++)
        error = compute(worker, &half[d], n, row, d);
    for (int d = 0; d < 2 && error == cudaSuccess; d++)
        error = end_step(&worker[d], &half[d], d);
    return error;
}
// END SOLUTION

cudaError_t smooth_both(struct lab10_half half[2], size_t n, size_t row, int steps)
{
    // BEGIN SOLUTION
    struct worker worker[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    int before = 0;
    cudaError_t error;

    if (steps == 0)
        return cudaSuccess;
    error = cudaGetDevice(&before);
    if (error != cudaSuccess)
        return error;
    for (int d = 0; d < 2 && error == cudaSuccess; d++)
        error = open_worker(&worker[d], d);
    for (int step = 0; step < steps && error == cudaSuccess; step++)
        error = one_step(worker, half, n, row, step);
    for (int d = 0; d < 2 && error == cudaSuccess; d++)
        error = cudaStreamSynchronize(worker[d].stream);
    for (int d = 0; d < 2; d++)
        close_worker(&worker[d]);
    if (cudaSetDevice(before) != cudaSuccess)
        cudaSetDevice(before);
    return error;
    // PLACEHOLDER
    // (void)half, (void)n, (void)row, (void)steps; /* your code */
    // return cudaErrorNotSupported;
    // END SOLUTION
}

cudaError_t sum_both(double *sum, const float *const x[2], const size_t n[2])
{
    // BEGIN SOLUTION
    double *partials[2] = {NULL, NULL}, *result = NULL;
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);

    if (error != cudaSuccess)
        return error;
    error = cudaHostAlloc((void **)&result, 2 * sizeof *result, cudaHostAllocPortable | cudaHostAllocMapped);
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        result[d] = 0; /* um_sum() leaves it alone when there is nothing to add up */
        if (n[d] > 0)
            error = cudaSetDevice(d);
        if (n[d] > 0 && error == cudaSuccess)
            error = cudaMalloc((void **)&partials[d], UM_SUM_BLOCKS * sizeof **partials);
    }
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        if (n[d] > 0)
            error = cudaSetDevice(d);
        if (error == cudaSuccess)
            error = um_sum(&result[d], partials[d], x[d], n[d], 0);
    }
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        if (n[d] > 0)
            error = cudaSetDevice(d);
        if (n[d] > 0 && error == cudaSuccess)
            error = cudaDeviceSynchronize();
    }
    if (error == cudaSuccess)
        *sum = result[0] + result[1];
    cudaFree(partials[0]);
    cudaFree(partials[1]);
    cudaFreeHost(result);
    if (cudaSetDevice(before) != cudaSuccess)
        cudaSetDevice(before);
    return error;
    // PLACEHOLDER
    // (void)sum, (void)x, (void)n; /* your code */
    // return cudaErrorNotSupported;
    // END SOLUTION
}
