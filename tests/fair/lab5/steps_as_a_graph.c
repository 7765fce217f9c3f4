/* fair: the steps are captured into a graph; an event is waited for */
#include "exercise.h"

static cudaError_t capture(cudaGraphExec_t *exec, int *x, const struct lab5_program *program,
                           cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), ended;

    if (error != cudaSuccess)
        return error;
    for (unsigned step = 0; step < program->steps && error == cudaSuccess; step++) {
        error = um_add_one(x, program->n, stream);
    }
    ended = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess)
        error = ended;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(exec, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    return error;
}

cudaError_t port_to_managed(const struct lab5_program *program)
{
    cudaStream_t stream = NULL;
    cudaGraphExec_t exec = NULL;
    cudaEvent_t done = NULL;
    int *x = NULL;
    cudaError_t error;

    if (program->n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&x, program->n * sizeof *x, cudaMemAttachGlobal);
    if (error == cudaSuccess)
        error = cudaStreamCreate(&stream);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = capture(&exec, x, program, stream);
    if (error == cudaSuccess) {
        program->fill(x, program->n, program->context);
        error = cudaGraphLaunch(exec, stream);
    }
    if (error == cudaSuccess)
        error = cudaEventRecord(done, stream);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(done);
    if (error == cudaSuccess)
        program->use(x, program->n, program->context);
    if (exec)
        cudaGraphExecDestroy(exec);
    if (done)
        cudaEventDestroy(done);
    if (stream)
        cudaStreamDestroy(stream);
    cudaFree(x);
    return error;
}
