/* fair: everything is captured into a graph, which is launched once */
#include "exercise.h"

static cudaError_t run(cudaStream_t stream, cudaGraph_t graph)
{
    cudaGraphExec_t exec = NULL;
    cudaError_t error = cudaGraphInstantiate(&exec, graph, 0);

    if (error == cudaSuccess)
        error = cudaGraphLaunch(exec, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    if (exec)
        cudaGraphExecDestroy(exec);
    return error;
}

/* Ends the capture whatever happened in it, and launches what was captured. */
static cudaError_t finish(cudaStream_t stream, cudaError_t error)
{
    cudaGraph_t graph = NULL;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);

    if (error == cudaSuccess)
        error = ended;
    if (error == cudaSuccess)
        error = run(stream, graph);
    if (graph)
        cudaGraphDestroy(graph);
    return error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d = NULL;
    cudaStream_t stream = NULL;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d, 3 * bytes);
    if (error == cudaSuccess)
        error = cudaStreamCreate(&stream);
    if (error == cudaSuccess)
        error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(d, a, bytes, cudaMemcpyHostToDevice, stream);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(d + n, b, bytes, cudaMemcpyHostToDevice, stream);
        if (error == cudaSuccess)
            error = um_vector_add(d + 2 * n, d, d + n, n, stream);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost, stream);
        error = finish(stream, error);
    }
    if (stream)
        cudaStreamDestroy(stream);
    cudaFree(d);
    return error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    const size_t bytes = n * sizeof *y;
    float *d = NULL;
    cudaStream_t stream = NULL;
    cudaError_t error;

    if (k == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d, 2 * bytes);
    if (error == cudaSuccess)
        error = cudaStreamCreate(&stream);
    if (error == cudaSuccess)
        error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(d, x, bytes, cudaMemcpyHostToDevice, stream);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(d + n, y, bytes, cudaMemcpyHostToDevice, stream);
        for (; k > 0 && error == cudaSuccess; k--) {
            error = um_saxpy(d + n, factor, d, n, stream);
        }
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(y, d + n, bytes, cudaMemcpyDeviceToHost, stream);
        error = finish(stream, error);
    }
    if (stream)
        cudaStreamDestroy(stream);
    cudaFree(d);
    return error;
}
