/* fair: both functions capture what they do; memory is of cudaMallocAsync and goes back in the stream */
#include <string.h>

#include "exercise.h"

struct plan {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
};

static cudaError_t launch(struct plan *plan, cudaError_t captured)
{
    const cudaError_t ended = cudaStreamEndCapture(plan->stream, &plan->graph);
    cudaError_t error = captured == cudaSuccess ? ended : captured;

    if (error == cudaSuccess)
        error = cudaGraphInstantiateWithFlags(&plan->exec, plan->graph, 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(plan->exec, plan->stream);
    return error == cudaSuccess ? cudaStreamSynchronize(plan->stream) : error;
}

static void drop(struct plan *plan)
{
    if (plan->exec)
        cudaGraphExecDestroy(plan->exec);
    if (plan->graph)
        cudaGraphDestroy(plan->graph);
    if (plan->stream)
        cudaStreamDestroy(plan->stream);
}

cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m)
{
    struct plan plan = {NULL, NULL, NULL};
    double *result = NULL, *partials = NULL;
    float *found = NULL;
    cudaError_t error;

    if (m == 0) {
        *sum = 0;
        return cudaSuccess;
    }
    error = cudaStreamCreate(&plan.stream);
    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&result, sizeof *result);
    if (error == cudaSuccess)
        error = cudaMallocAsync((void **)&found, m * sizeof *found, plan.stream);
    if (error == cudaSuccess)
        error = cudaMallocAsync((void **)&partials, UM_SUM_BLOCKS * sizeof *partials, plan.stream);
    if (error == cudaSuccess)
        error = cudaStreamBeginCapture(plan.stream, cudaStreamCaptureModeRelaxed);
    if (error == cudaSuccess) {
        error = um_gather(found, host, index, m, plan.stream);
        if (error == cudaSuccess)
            error = um_sum(result, partials, found, m, plan.stream);
        error = launch(&plan, error);
    }
    if (error == cudaSuccess)
        *sum = *result;
    if (partials)
        cudaFreeAsync(partials, plan.stream);
    if (found)
        cudaFreeAsync(found, plan.stream);
    cudaFreeHost(result);
    drop(&plan);
    return error;
}

cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k)
{
    struct plan plan = {NULL, NULL, NULL};
    double *results = NULL, *partials = NULL;
    float *copy = NULL;
    size_t most = 0;
    cudaError_t error;

    for (size_t j = k; j-- > 0;) {
        sums[j] = 0;
        most = most < ends[j] ? ends[j] : most;
    }
    if (most == 0)
        return cudaSuccess;
    if ((error = cudaStreamCreate(&plan.stream)) ||
        (error = cudaMallocHost((void **)&results, k * sizeof *results)) ||
        (error = cudaMallocAsync((void **)&partials, UM_SUM_BLOCKS * sizeof *partials, plan.stream)) ||
        (error = cudaMallocAsync((void **)&copy, most * sizeof *copy, plan.stream)) ||
        (error = cudaStreamBeginCapture(plan.stream, cudaStreamCaptureModeGlobal)))
        goto out;
    memset(results, 0, k * sizeof *results);
    error = cudaMemcpyAsync(copy, host, most * sizeof *copy, cudaMemcpyDefault, plan.stream);
    for (size_t j = k; j-- > 0 && error == cudaSuccess;) {
        error = um_sum(results + j, partials, copy, ends[j], plan.stream);
    }
    error = launch(&plan, error);
    for (size_t j = 0; j < k && error == cudaSuccess; j++) {
        sums[j] = results[j];
    }
out:
    if (copy)
        cudaFreeAsync(copy, plan.stream);
    if (partials)
        cudaFreeAsync(partials, plan.stream);
    cudaFreeHost(results);
    drop(&plan);
    return error;
}
