// Memory of a graph's own: nodes that take it and free it, memory that a launch leaves behind, memory that
// another graph frees, and cudaMallocAsync() in a captured stream.
#include "common.h"

__global__ void fill(int *p, int n, int value)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] = value + i;
}

__global__ void sum(const int *p, int n, long long *total)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        long long all = 0;
        for (int i = 0; i < n; i++)
            all += p[i];
        *total += all;
    }
}

static const int N = 100000;
static long long *total;

static long long expected(int value)
{
    return (long long)N * value + (long long)N * (N - 1) / 2;
}

static bool total_is(long long wanted)
{
    long long found = 0;
    CHECK(cudaMemcpy(&found, total, sizeof found, cudaMemcpyDeviceToHost));
    if (found != wanted)
        printf("total %lld, not %lld\n", found, wanted);
    return found == wanted;
}

static size_t attribute(cudaGraphMemAttributeType which)
{
    unsigned long long value = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, which, &value));
    return value;
}

// Says what is not so.
static bool is(const char *what, bool so)
{
    if (!so)
        printf("not so: %s (used %zu, at most %zu; kept %zu, at most %zu)\n", what,
               attribute(cudaGraphMemAttrUsedMemCurrent), attribute(cudaGraphMemAttrUsedMemHigh),
               attribute(cudaGraphMemAttrReservedMemCurrent), attribute(cudaGraphMemAttrReservedMemHigh));
    return so;
}

static bool fails(const char *what, cudaError_t error, cudaError_t wanted)
{
    cudaGetLastError();
    if (error != wanted)
        printf("%s: %s, not %s\n", what, cudaGetErrorName(error), cudaGetErrorName(wanted));
    return error == wanted;
}

static void add_kernels(cudaGraph_t graph, cudaGraphNode_t after, int *p, int value, cudaGraphNode_t *last)
{
    cudaGraphNode_t filled;
    int n = N;
    void *fill_arguments[] = {&p, &n, &value}, *sum_arguments[] = {&p, &n, &total};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)fill;
    kernel.gridDim = dim3(32);
    kernel.blockDim = dim3(128);
    kernel.kernelParams = fill_arguments;
    CHECK(cudaGraphAddKernelNode(&filled, graph, &after, 1, &kernel));
    kernel.func = (void *)sum;
    kernel.gridDim = dim3(1);
    kernel.kernelParams = sum_arguments;
    CHECK(cudaGraphAddKernelNode(last, graph, &filled, 1, &kernel));
}

static int *add_alloc(cudaGraph_t graph, cudaGraphNode_t *node)
{
    cudaMemAllocNodeParams alloc = {};
    alloc.bytesize = N * sizeof(int);
    alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    alloc.poolProps.location.id = 0;
    CHECK(cudaGraphAddMemAllocNode(node, graph, NULL, 0, &alloc));
    cudaMemAllocNodeParams told;
    CHECK(cudaGraphMemAllocNodeGetParams(*node, &told));
    if (!alloc.dptr || told.dptr != alloc.dptr || told.bytesize != alloc.bytesize)
        exit(report(false));
    return (int *)alloc.dptr;
}

// Takes, uses and frees memory within one graph, launched several times.
static bool in_one_graph(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t taken, used, freed;
    CHECK(cudaGraphCreate(&graph, 0));
    int *p = add_alloc(graph, &taken);
    add_kernels(graph, taken, p, 7, &used);
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &used, 1, p));
    void *told = NULL;
    CHECK(cudaGraphMemFreeNodeGetParams(freed, &told));
    bool good = told == p;
    cudaGraphNode_t again;
    good &= fails("to free it twice in one graph", cudaGraphAddMemFreeNode(&again, graph, &used, 1, p),
                  cudaErrorInvalidValue);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaMemset(total, 0, sizeof *total));
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    good &= total_is(3 * expected(7));
    good &= is("it is kept, and counts as used",
               attribute(cudaGraphMemAttrUsedMemCurrent) >= N * sizeof(int) &&
                   attribute(cudaGraphMemAttrReservedMemCurrent) >= N * sizeof(int));
    good &= is("it was used once", attribute(cudaGraphMemAttrUsedMemHigh) >= N * sizeof(int));
    good &= is("it was kept once", attribute(cudaGraphMemAttrReservedMemHigh) >= N * sizeof(int));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaDeviceGraphMemTrim(0));
    good &= is("nothing is used after a trim", attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
    return is("nothing is kept after a trim", attribute(cudaGraphMemAttrReservedMemCurrent) == 0) && good;
}

// A graph leaves memory behind: a stream, a call or another graph frees it.
static bool left_behind(cudaStream_t stream)
{
    cudaGraph_t graph, other;
    cudaGraphExec_t exec, frees;
    cudaGraphNode_t taken, used, freed;
    CHECK(cudaGraphCreate(&graph, 0));
    int *p = add_alloc(graph, &taken);
    add_kernels(graph, taken, p, 3, &used);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphCreate(&other, 0));
    CHECK(cudaGraphAddMemFreeNode(&freed, other, NULL, 0, p));
    CHECK(cudaGraphInstantiate(&frees, other, 0));
    CHECK(cudaMemset(total, 0, sizeof *total));

    CHECK(cudaGraphLaunch(exec, stream));
    sum<<<1, 1, 0, stream>>>(p, N, total);
    std::vector<int> copy(N);
    CHECK(cudaMemcpyAsync(copy.data(), p, N * sizeof(int), cudaMemcpyDeviceToHost, stream));
    bool good = fails("to launch it again", cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaGraphLaunch(frees, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    good &= is("it is used", attribute(cudaGraphMemAttrUsedMemCurrent) >= N * sizeof(int));
    CHECK(cudaFree(p));
    CHECK(cudaDeviceGraphMemTrim(0));
    good &= is("it is not used any more", attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
    for (int i = 0; i < N; i++)
        good &= copy[i] == 3 + i;
    if (copy[0] != 3)
        printf("copied %d, %d, ..., not 3, 4, ...\n", copy[0], copy[1]);
    good &= total_is(4 * expected(3));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphExecDestroy(frees));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(other));
    return good;
}

// The launch itself frees what the last one has left.
static bool freed_by_launch(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t taken, used;
    CHECK(cudaGraphCreate(&graph, 0));
    int *p = add_alloc(graph, &taken);
    add_kernels(graph, taken, p, 1, &used);
    CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    CHECK(cudaMemset(total, 0, sizeof *total));
    for (int i = 0; i < 4; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(p));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return total_is(4 * expected(1));
}

static bool captured(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *p = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&p, N * sizeof(int), stream));
    fill<<<32, 128, 0, stream>>>(p, N, 11);
    sum<<<1, 1, 0, stream>>>(p, N, total);
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    size_t count = 4;
    cudaGraphNode_t nodes[4];
    cudaGraphNodeType type;
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    bool good = count == 4;
    int kinds[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        CHECK(cudaGraphNodeGetType(nodes[i], &type));
        kinds[0] += type == cudaGraphNodeTypeMemAlloc;
        kinds[1] += type == cudaGraphNodeTypeMemFree;
    }
    good &= kinds[0] == 1 && kinds[1] == 1;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaMemset(total, 0, sizeof *total));
    for (int i = 0; i < 5; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return good && total_is(5 * expected(11));
}

// Graphs with such nodes cannot be cloned, and lose no nodes or dependencies.
static bool refused()
{
    cudaGraph_t graph, clone;
    cudaGraphNode_t taken, freed;
    CHECK(cudaGraphCreate(&graph, 0));
    int *p = add_alloc(graph, &taken);
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &taken, 1, p));
    bool good = cudaGraphClone(&clone, graph) != cudaSuccess;
    good &= cudaGraphDestroyNode(freed) != cudaSuccess;
    cudaGraphExec_t first, second;
    CHECK(cudaGraphInstantiate(&first, graph, 0));
    good &= cudaGraphInstantiate(&second, graph, 0) != cudaSuccess;
    CHECK(cudaGraphExecDestroy(first));
    CHECK(cudaGraphInstantiate(&second, graph, 0));
    CHECK(cudaGraphExecDestroy(second));
    CHECK(cudaGraphDestroy(graph));
    cudaGetLastError();
    return good;
}

int main()
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&total, sizeof *total));
    bool good = true;
    const struct {
        const char *name;
        bool passed;
    } tests[] = {{"in one graph", in_one_graph(stream)},
                 {"left behind", left_behind(stream)},
                 {"freed by launch", freed_by_launch(stream)},
                 {"captured", captured(stream)},
                 {"refused", refused()}};
    for (const auto &test : tests) {
        printf("%s: %s\n", test.name, test.passed ? "ok" : "wrong");
        good &= test.passed;
    }
    CHECK(cudaFree(total));
    CHECK(cudaStreamDestroy(stream));
    return report(good);
}
