/* fair: each device fetches the other's row, in its legacy stream, by cudaMemcpyAsync; one event a device */
#include "exercise.h"

struct pair {
    struct lab10_half *half;
    size_t n, row;
    cudaEvent_t ended[2], fetched[2];
};

static cudaError_t fetch(struct pair *pair, int d, int step)
{
    const float *seam = pair->half[1 - d].now + (d == 1 ? pair->n - pair->row : 0);
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess && step > 0)
        error = cudaStreamWaitEvent(0, pair->ended[1 - d], 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(pair->half[d].edge, seam, pair->row * sizeof *seam, cudaMemcpyDefault, 0);
    return error == cudaSuccess ? cudaEventRecord(pair->fetched[d], 0) : error;
}

static cudaError_t work(struct pair *pair, int d)
{
    struct lab10_half *half = &pair->half[d];
    cudaError_t error = cudaSetDevice(d);

    if (error == cudaSuccess) /* the next step's result goes where the other one fetches from now */
        error = cudaStreamWaitEvent(0, pair->fetched[1 - d], 0);
    if (error == cudaSuccess)
        error = um_smooth(half->next, half->now, d == 0 ? half->border : half->edge,
                          d == 0 ? half->edge : half->border, pair->n, pair->row, 0);
    return error;
}

static cudaError_t end(struct pair *pair, int d)
{
    float *now = pair->half[d].next;
    cudaError_t error = cudaSetDevice(d);

    pair->half[d].next = pair->half[d].now;
    pair->half[d].now = now;
    return error == cudaSuccess ? cudaEventRecord(pair->ended[d], 0) : error;
}

static cudaError_t both(struct pair *pair, int step)
{
    cudaError_t error = fetch(pair, 0, step);

    if (error == cudaSuccess)
        error = fetch(pair, 1, step);
    if (error == cudaSuccess)
        error = work(pair, 1);
    if (error == cudaSuccess)
        error = work(pair, 0);
    if (error == cudaSuccess)
        error = end(pair, 0);
    return error == cudaSuccess ? end(pair, 1) : error;
}

cudaError_t smooth_both(struct lab10_half half[2], size_t n, size_t row, int steps)
{
    struct pair pair = {half, n, row, {NULL, NULL}, {NULL, NULL}};
    int before = 0;
    cudaError_t error = steps == 0 ? cudaSuccess : cudaGetDevice(&before), set;

    if (steps == 0 || error != cudaSuccess)
        return error;
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        error = cudaSetDevice(d);
        if (error == cudaSuccess)
            error = cudaEventCreate(&pair.ended[d]);
        if (error == cudaSuccess)
            error = cudaEventCreate(&pair.fetched[d]);
    }
    for (int step = 0; step < steps && error == cudaSuccess; step++)
        error = both(&pair, step);
    for (int d = 0; d < 2 && error == cudaSuccess; d++) {
        error = cudaSetDevice(d);
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
    }
    for (int d = 0; d < 2; d++) {
        if (pair.ended[d])
            cudaEventDestroy(pair.ended[d]);
        if (pair.fetched[d])
            cudaEventDestroy(pair.fetched[d]);
    }
    set = cudaSetDevice(before);
    if (set != cudaSuccess)
        cudaSetDevice(before);
    return error;
}
