// What graphs' nodes do, asked and changed: parameters, edges, clones, disabled nodes, events, child graphs,
// the update of a whole graph, and captures that a program looks into.
#include "common.h"

__global__ void scale(float *p, int n, float factor)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= factor;
}

__global__ void shift(float *p, int n, float by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += by;
}

__device__ float table[4];

static const int N = 1000;
static float *device_p, *host_p;
static cudaStream_t stream;

static cudaKernelNodeParams kernel_params(void (*kernel)(float *, int, float), void **arguments)
{
    cudaKernelNodeParams params = {};
    params.func = (void *)kernel;
    params.gridDim = dim3((N + 127) / 128);
    params.blockDim = dim3(128);
    params.kernelParams = arguments;
    return params;
}

// Runs it once from ones. Gives element 0, if all are alike.
static float run(cudaGraphExec_t exec)
{
    std::vector<float> values(N, 1.0f);
    CHECK(cudaMemcpy(device_p, values.data(), N * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(values.data(), device_p, N * sizeof(float), cudaMemcpyDeviceToHost));
    for (float value : values)
        if (value != values[0])
            return -1e30f;
    return values[0];
}

static bool is(const char *what, float found, float wanted)
{
    if (found != wanted)
        printf("%s: %g, not %g\n", what, found, wanted);
    return found == wanted;
}

static bool kernels_and_edges()
{
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, second, found[4], to[4];
    float two = 2, three = 3, ten = 10;
    int n = N;
    void *by_two[] = {&device_p, &n, &two}, *by_three[] = {&device_p, &n, &three},
         *by_ten[] = {&device_p, &n, &ten};
    CHECK(cudaGraphCreate(&graph, 0));
    cudaKernelNodeParams params = kernel_params(scale, by_two);
    CHECK(cudaGraphAddKernelNode(&first, graph, NULL, 0, &params));
    params = kernel_params(shift, by_three);
    CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &params));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    bool good = is("2 * 1 + 3", run(exec), 5);

    size_t count = 4;
    CHECK(cudaGraphGetEdges(graph, found, to, NULL, &count));
    good &= count == 1 && found[0] == first && to[0] == second;
    count = 4;
    CHECK(cudaGraphNodeGetDependencies(second, found, NULL, &count));
    good &= count == 1 && found[0] == first;
    CHECK(cudaGraphNodeGetDependentNodes(first, NULL, NULL, &count));
    good &= count == 1;

    cudaKernelNodeParams told = {};
    CHECK(cudaGraphKernelNodeGetParams(first, &told));
    good &= told.func == (void *)scale && told.gridDim.x == (unsigned)(N + 127) / 128 &&
            told.blockDim.x == 128 && told.sharedMemBytes == 0;
    good &= *(float **)told.kernelParams[0] == device_p && *(int *)told.kernelParams[1] == N &&
            *(float *)told.kernelParams[2] == 2;

    params = kernel_params(shift, by_ten);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, second, &params));
    good &= is("2 * 1 + 10", run(exec), 12);
    unsigned enabled = 7;
    CHECK(cudaGraphNodeSetEnabled(exec, first, 0));
    CHECK(cudaGraphNodeGetEnabled(exec, first, &enabled));
    good &= enabled == 0 && is("1 + 10", run(exec), 11);
    CHECK(cudaGraphNodeSetEnabled(exec, first, 1));
    good &= is("2 * 1 + 10 again", run(exec), 12);

    CHECK(cudaGraphClone(&clone, graph));
    cudaGraphNode_t copy;
    CHECK(cudaGraphNodeFindInClone(&copy, second, clone));
    CHECK(cudaGraphKernelNodeGetParams(copy, &told));
    good &= copy != second && told.func == (void *)shift && *(float *)told.kernelParams[2] == 3;
    params = kernel_params(scale, by_ten);
    CHECK(cudaGraphKernelNodeSetParams(copy, &params));
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, clone, &info));
    good &= info.result == cudaGraphExecUpdateSuccess && is("2 * 1 * 10", run(exec), 20);
    CHECK(cudaGraphRemoveDependencies(graph, &first, &second, NULL, 1));
    count = 0;
    CHECK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &count));
    good &= count == 0;
    cudaGraphNode_t error_node;
    cudaGraphExecUpdateResult result;
    good &= cudaGraphExecUpdate(exec, graph, &error_node, &result) == cudaErrorGraphExecUpdateFailure &&
            result == cudaGraphExecUpdateErrorTopologyChanged; // the old form
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaGraphDestroy(graph));
    return good;
}

static void count_call(void *p)
{
    ++*(int *)p;
}

static bool copies_and_hosts()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t up, down, set, host, symbol;
    int calls = 0, other_calls = 0;
    const size_t bytes = N * sizeof(float);
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&up, graph, NULL, 0, device_p, host_p, bytes, cudaMemcpyHostToDevice));
    cudaMemsetParams memset_params = {};
    memset_params.dst = device_p;
    memset_params.value = 0x3f;
    memset_params.elementSize = 1;
    memset_params.width = 8;
    memset_params.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, &up, 1, &memset_params));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, &set, 1, table, host_p, 2 * sizeof(float),
                                         2 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(
        cudaGraphAddMemcpyNode1D(&down, graph, &symbol, 1, host_p, device_p, bytes, cudaMemcpyDeviceToHost));
    cudaHostNodeParams host_params = {count_call, &calls};
    CHECK(cudaGraphAddHostNode(&host, graph, &down, 1, &host_params));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < N; i++)
        host_p[i] = i + 1.0f;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    float values[4] = {};
    CHECK(cudaMemcpyFromSymbol(values, table, sizeof values));
    const float filled = host_p[0];
    bool good =
        calls == 1 && filled > 0.7f && filled < 0.8f && host_p[2] == 3 && values[2] == 1 && values[3] == 2;

    cudaMemcpy3DParms copy = {};
    CHECK(cudaGraphMemcpyNodeGetParams(up, &copy));
    good &= copy.srcPtr.ptr == host_p && copy.dstPtr.ptr == device_p && copy.extent.width == bytes &&
            copy.extent.height == 1 && copy.extent.depth == 1 && copy.kind == cudaMemcpyHostToDevice;
    cudaMemsetParams told = {};
    CHECK(cudaGraphMemsetNodeGetParams(set, &told));
    good &= told.dst == device_p && told.value == 0x3f && told.elementSize == 1 && told.width == 8 &&
            told.height == 1;
    cudaHostNodeParams told_host = {};
    CHECK(cudaGraphHostNodeGetParams(host, &told_host));
    good &= told_host.fn == count_call && told_host.userData == &calls;

    memset_params.value = 0x41;
    CHECK(cudaGraphExecMemsetNodeSetParams(exec, set, &memset_params));
    host_params.userData = &other_calls;
    CHECK(cudaGraphExecHostNodeSetParams(exec, host, &host_params));
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, down, host_p, device_p, 8, cudaMemcpyDeviceToHost));
    host_p[2] = 77;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    good &= calls == 1 && other_calls == 1 && host_p[0] > 12 && host_p[0] < 12.1f && host_p[2] == 77;
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return good;
}

static bool children_and_events()
{
    cudaGraph_t inner, graph, within;
    cudaGraphExec_t exec;
    cudaGraphNode_t node, child, before, after, list[2];
    cudaEvent_t start, end;
    float two = 2, five = 5;
    int n = N;
    void *by_two[] = {&device_p, &n, &two}, *by_five[] = {&device_p, &n, &five};
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaGraphCreate(&inner, 0));
    cudaKernelNodeParams params = kernel_params(scale, by_two);
    CHECK(cudaGraphAddKernelNode(&node, inner, NULL, 0, &params));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEventRecordNode(&before, graph, NULL, 0, start));
    CHECK(cudaGraphAddChildGraphNode(&child, graph, &before, 1, inner));
    CHECK(cudaGraphAddEventRecordNode(&after, graph, &child, 1, end));
    cudaEvent_t told;
    CHECK(cudaGraphEventRecordNodeGetEvent(after, &told));
    bool good = told == end;
    CHECK(cudaGraphChildGraphNodeGetGraph(child, &within));
    size_t count = 2;
    CHECK(cudaGraphGetNodes(within, list, &count));
    good &= count == 1 && list[0] != node && within != inner;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    good &= is("2 * 1", run(exec), 2);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, start, end));
    good &= ms >= 0;
    params = kernel_params(shift, by_five);
    CHECK(cudaGraphKernelNodeSetParams(node, &params));
    good &= is("2 * 1 as before", run(exec), 2);
    CHECK(cudaGraphExecChildGraphNodeSetParams(exec, child, inner));
    good &= is("1 + 5", run(exec), 6);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(inner));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    return good;
}

// A captured kernel's parameters are asked and changed; a node is added while the stream is captured.
static bool captures()
{
    cudaGraph_t graph, during;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    const cudaGraphNode_t *last;
    size_t count = 0;
    float four = 4, six = 6;
    int n = N;
    void *by_four[] = {&device_p, &n, &four}, *by_six[] = {&device_p, &n, &six};
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    scale<<<(N + 127) / 128, 128, 0, stream>>>(device_p, N, 3);
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &during, &last, NULL, &count));
    bool good = status == cudaStreamCaptureStatusActive && id != 0 && count == 1;
    cudaGraphNode_t captured = last[0], added;
    cudaKernelNodeParams params = kernel_params(shift, by_four);
    CHECK(cudaGraphAddKernelNode(&added, during, &captured, 1, &params));
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &added, NULL, 1, cudaStreamSetCaptureDependencies));
    scale<<<(N + 127) / 128, 128, 0, stream>>>(device_p, N, 10);
    CHECK(cudaStreamEndCapture(stream, &graph));
    good &= graph == during;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    good &= is("(3 * 1 + 4) * 10", run(exec), 70);
    cudaKernelNodeParams told = {};
    CHECK(cudaGraphKernelNodeGetParams(captured, &told));
    good &= *(float **)told.kernelParams[0] == device_p && *(int *)told.kernelParams[1] == N &&
            *(float *)told.kernelParams[2] == 3;
    told.kernelParams = by_six;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, captured, &told));
    good &= is("(6 * 1 + 4) * 10", run(exec), 100);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamGetCaptureInfo(stream, &status));
    return good && status == cudaStreamCaptureStatusNone;
}

// One call for nodes of all types.
static bool any_node()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t copy, kernel, empty;
    float two = 2, nine = 9;
    int n = N;
    void *by_two[] = {&device_p, &n, &two}, *by_nine[] = {&device_p, &n, &nine};
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNodeParams params = {cudaGraphNodeTypeMemset};
    params.memset.dst = device_p;
    params.memset.elementSize = 4;
    params.memset.value = 0x40400000; // 3.0f
    params.memset.width = N;
    params.memset.height = 1;
    CHECK(cudaGraphAddNode(&copy, graph, NULL, NULL, 0, &params));
    params = {cudaGraphNodeTypeKernel};
    params.kernel.func = (void *)scale;
    params.kernel.gridDim = dim3((N + 127) / 128);
    params.kernel.blockDim = dim3(128);
    params.kernel.kernelParams = by_two;
    CHECK(cudaGraphAddNode(&kernel, graph, &copy, NULL, 1, &params));
    cudaGraphNodeParams nothing = {cudaGraphNodeTypeEmpty};
    CHECK(cudaGraphAddNode(&empty, graph, &kernel, NULL, 1, &nothing));
    cudaGraphInstantiateParams how = {};
    CHECK(cudaGraphInstantiateWithParams(&exec, graph, &how));
    bool good = how.result_out == cudaGraphInstantiateSuccess && is("2 * 3", run(exec), 6);
    params.kernel.kernelParams = by_nine;
    CHECK(cudaGraphExecNodeSetParams(exec, kernel, &params));
    good &= is("9 * 3", run(exec), 27);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return good;
}

static bool objects()
{
    static int destroyed;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaUserObject_t object;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    CHECK(cudaUserObjectCreate(&object, &destroyed, count_call, 1, cudaUserObjectNoDestructorSync));
    CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    bool good = destroyed == 0;
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 1000000 && !*(volatile int *)&destroyed; i++)
        cudaStreamQuery(stream); // it is called some time after
    return good && destroyed == 1;
}

int main()
{
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&device_p, N * sizeof(float)));
    CHECK(cudaMallocHost(&host_p, N * sizeof(float)));
    const struct {
        const char *name;
        bool passed;
    } tests[] = {{"kernels and edges", kernels_and_edges()},
                 {"copies and host functions", copies_and_hosts()},
                 {"child graphs and events", children_and_events()},
                 {"captures", captures()},
                 {"any node", any_node()},
                 {"objects", objects()}};
    bool good = true;
    for (const auto &test : tests) {
        printf("%s: %s\n", test.name, test.passed ? "ok" : "wrong");
        good &= test.passed;
    }
    CHECK(cudaFree(device_p));
    CHECK(cudaFreeHost(host_p));
    return report(good);
}
