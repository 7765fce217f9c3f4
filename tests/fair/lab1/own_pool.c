/* fair: a memory pool of its own, which ends before what was freed to it has been waited for */
#include <string.h>

#include "exercise.h"

struct work {
    cudaStream_t stream;
    cudaMemPool_t pool;
};

static cudaError_t begin(struct work *work)
{
    struct cudaMemPoolProps props;
    cudaError_t error;

    memset(&props, 0, sizeof props);
    memset(work, 0, sizeof *work);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    error = cudaStreamCreateWithFlags(&work->stream, cudaStreamNonBlocking);
    return error == cudaSuccess ? cudaMemPoolCreate(&work->pool, &props) : error;
}

static void end(struct work *work)
{
    if (work->pool) {
        cudaMemPoolTrimTo(work->pool, 0);
        cudaMemPoolDestroy(work->pool);
    }
    if (work->stream)
        cudaStreamDestroy(work->stream);
}

static cudaError_t sent(float **d, const float *h, size_t bytes, const struct work *work)
{
    cudaError_t error = cudaMallocFromPoolAsync((void **)d, bytes, work->pool, work->stream);

    return error == cudaSuccess && h ? cudaMemcpyAsync(*d, h, bytes, cudaMemcpyHostToDevice, work->stream)
                                     : error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    struct work work;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    error = begin(&work);
    if (error == cudaSuccess)
        error = sent(&d_a, a, bytes, &work);
    if (error == cudaSuccess)
        error = sent(&d_b, b, bytes, &work);
    if (error == cudaSuccess)
        error = sent(&d_c, NULL, bytes, &work);
    if (error == cudaSuccess)
        error = um_vector_add(d_c, d_a, d_b, n, work.stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(c, d_c, bytes, cudaMemcpyDeviceToHost, work.stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(work.stream);
    cudaFreeAsync(d_a, work.stream);
    cudaFreeAsync(d_b, work.stream);
    cudaFreeAsync(d_c, work.stream);
    end(&work);
    return error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    const size_t bytes = n * sizeof *y;
    float *d_x = NULL, *d_y = NULL;
    struct work work;
    cudaError_t error = begin(&work);

    if (error == cudaSuccess)
        error = sent(&d_x, x, bytes, &work);
    if (error == cudaSuccess)
        error = sent(&d_y, y, bytes, &work);
    for (unsigned i = 0; i < k && error == cudaSuccess; i++) {
        error = um_saxpy(d_y, factor, d_x, n, work.stream);
    }
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(y, d_y, bytes, cudaMemcpyDeviceToHost, work.stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(work.stream);
    cudaFreeAsync(d_y, work.stream);
    cudaFreeAsync(d_x, work.stream);
    end(&work);
    return error;
}
