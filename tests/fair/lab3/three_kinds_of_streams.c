/* fair: a stream for the way in, one for kernels and one for the way back, which wait for each other's events
 */
#include <string.h>

#include "exercise.h"

enum { IN, WORK, BACK, STREAMS, SETS = 2 };

struct set {
    float *h_x, *h_y, *h_out, *d_x, *d_y;
    cudaEvent_t in, worked, back;
    float *to;
    size_t length;
};

struct factory {
    cudaStream_t stream[STREAMS];
    struct set set[SETS];
};

static cudaError_t set_open(struct set *set, size_t bytes)
{
    cudaError_t error;

    (error = cudaMallocHost((void **)&set->h_x, bytes)) != cudaSuccess ||
        (error = cudaMallocHost((void **)&set->h_y, bytes)) != cudaSuccess ||
        (error = cudaMallocHost((void **)&set->h_out, bytes)) != cudaSuccess ||
        (error = cudaMalloc((void **)&set->d_x, bytes)) != cudaSuccess ||
        (error = cudaMalloc((void **)&set->d_y, bytes)) != cudaSuccess ||
        (error = cudaEventCreateWithFlags(&set->in, cudaEventDisableTiming)) != cudaSuccess ||
        (error = cudaEventCreateWithFlags(&set->worked, cudaEventDisableTiming)) != cudaSuccess ||
        (error = cudaEventCreateWithFlags(&set->back, cudaEventDisableTiming)) != cudaSuccess;
    return error;
}

static void set_close(struct set *set)
{
    cudaEvent_t event[] = {set->in, set->worked, set->back};

    for (int i = 0; i < 3; i++) {
        if (event[i])
            cudaEventDestroy(event[i]);
    }
    cudaFree(set->d_y);
    cudaFree(set->d_x);
    cudaFreeHost(set->h_out);
    cudaFreeHost(set->h_y);
    cudaFreeHost(set->h_x);
}

/* The piece in the set goes home. */
static cudaError_t collect(struct set *set)
{
    cudaError_t error = cudaSuccess;

    if (set->to && (error = cudaEventSynchronize(set->back)) == cudaSuccess)
        memcpy(set->to, set->h_out, set->length * sizeof(float));
    set->to = NULL;
    return error;
}

static cudaError_t issue(struct factory *f, struct set *set, float *y, const float *x, size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error;

    memcpy(set->h_y, y, bytes);
    memcpy(set->h_x, x, bytes);
    (error = cudaMemcpyAsync(set->d_y, set->h_y, bytes, cudaMemcpyHostToDevice, f->stream[IN])) ||
        (error = cudaMemcpyAsync(set->d_x, set->h_x, bytes, cudaMemcpyHostToDevice, f->stream[IN])) ||
        (error = cudaEventRecord(set->in, f->stream[IN])) ||
        (error = cudaStreamWaitEvent(f->stream[WORK], set->in, 0)) ||
        (error = um_saxpy(set->d_y, LAB3_FACTOR, set->d_x, length, f->stream[WORK])) ||
        (error = cudaEventRecord(set->worked, f->stream[WORK])) ||
        (error = cudaStreamWaitEvent(f->stream[BACK], set->worked, 0)) ||
        (error = cudaMemcpyAsync(set->h_out, set->d_y, bytes, cudaMemcpyDeviceToHost, f->stream[BACK])) ||
        (error = cudaEventRecord(set->back, f->stream[BACK]));
    set->to = error == cudaSuccess ? y : NULL;
    set->length = length;
    return error;
}

static cudaError_t run(struct factory *f, float *y, const float *x, size_t n, size_t chunk)
{
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < STREAMS && error == cudaSuccess; i++) {
        error = cudaStreamCreateWithFlags(&f->stream[i], cudaStreamNonBlocking);
    }
    for (int i = 0; i < SETS && error == cudaSuccess; i++) {
        error = set_open(&f->set[i], chunk * sizeof(float));
    }
    for (size_t done = 0; done < n && error == cudaSuccess; done += chunk) {
        struct set *set = &f->set[done / chunk % SETS];

        error = collect(set);
        if (error == cudaSuccess)
            error = issue(f, set, y + done, x + done, n - done < chunk ? n - done : chunk);
    }
    for (int i = 0; i < SETS; i++) {
        const cudaError_t last = collect(&f->set[i]);

        error = error == cudaSuccess ? last : error;
    }
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct factory f;
    cudaError_t error;

    if (chunk == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    memset(&f, 0, sizeof f);
    error = run(&f, y, x, n, chunk < n ? chunk : n);
    for (int i = 0; i < STREAMS && f.stream[i]; i++) { /* after an error, copies may still be under way */
        if (error != cudaSuccess)
            cudaStreamSynchronize(f.stream[i]);
        cudaStreamDestroy(f.stream[i]);
    }
    for (int i = 0; i < SETS; i++) {
        set_close(&f.set[i]);
    }
    return error;
}
