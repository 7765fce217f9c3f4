/* fair: a graph that is built node by node; what um_vector_add() captures is a child graph in it. No call has
 * the name of an asynchronous copy, and one wait is needed all the same */
#include "exercise.h"

/* The graph of one kernel, as its launcher captures it. */
static cudaError_t of_kernel(cudaGraph_t *graph, float *c, const float *a, const float *b, size_t n,
                             cudaStream_t stream)
{
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), launched;

    *graph = NULL;
    if (error != cudaSuccess)
        return error;
    launched = um_vector_add(c, a, b, n, stream);
    error = cudaStreamEndCapture(stream, graph);
    return launched != cudaSuccess ? launched : error;
}

static cudaError_t build(cudaGraph_t graph, cudaGraph_t kernel, float *c, const float *a, const float *b,
                         float *d, size_t n)
{
    const size_t bytes = n * sizeof *c;
    cudaGraphNode_t in[2], add, out;
    cudaError_t error = cudaGraphAddMemcpyNode1D(&in[0], graph, NULL, 0, d, a, bytes, cudaMemcpyHostToDevice);

    if (error == cudaSuccess)
        error = cudaGraphAddMemcpyNode1D(&in[1], graph, NULL, 0, d + n, b, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaGraphAddChildGraphNode(&add, graph, in, 2, kernel);
    if (error == cudaSuccess)
        error = cudaGraphAddMemcpyNode1D(&out, graph, &add, 1, c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    return error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaStream_t stream = NULL;
    cudaGraph_t graph = NULL, kernel = NULL;
    cudaGraphExec_t exec = NULL;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    if ((error = cudaMalloc((void **)&d, 3 * n * sizeof *c)) != cudaSuccess ||
        (error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) != cudaSuccess ||
        (error = of_kernel(&kernel, d + 2 * n, d, d + n, n, stream)) != cudaSuccess ||
        (error = cudaGraphCreate(&graph, 0)) != cudaSuccess ||
        (error = build(graph, kernel, c, a, b, d, n)) != cudaSuccess ||
        (error = cudaGraphInstantiate(&exec, graph, 0)) != cudaSuccess ||
        (error = cudaGraphLaunch(exec, stream)) != cudaSuccess)
        goto out;
    error = cudaStreamSynchronize(stream);
out:
    if (exec)
        cudaGraphExecDestroy(exec);
    if (graph)
        cudaGraphDestroy(graph);
    if (kernel)
        cudaGraphDestroy(kernel);
    if (stream)
        cudaStreamDestroy(stream);
    cudaFree(d);
    return error;
}
