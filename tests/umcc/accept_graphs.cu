/*
 * Graphs: captured from one stream, from several that events join, put together by hand, one in another;
 * launched again and again, changed in place; and what a capture does not allow.
 */
#include "check.h"
#include <cstring>

__global__ void add(int *p, int n, int by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += by;
}
__global__ void multiply(int *p, int n, int by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= by;
}

static const int n = 1000;
static const size_t bytes = n * sizeof(int);
static int *device, *other, *host;

static bool all(int value)
{
    for (int i = 0; i < n; i++)
        if (host[i] != value)
            return false;
    return true;
}
static void put(int *to, int value)
{
    for (int i = 0; i < n; i++)
        host[i] = value;
    CHECK(cudaMemcpy(to, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess);
}
static bool device_has(int value)
{
    CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    return all(value);
}
static size_t count_nodes(cudaGraph_t graph)
{
    size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
    return count;
}

static void from_one_stream()
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamCreate(&s) == cudaSuccess);
    put(device, 1);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaStreamIsCapturing(s, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive);
    for (int i = 0; i < 3; i++)
        add<<<4, 256, 0, s>>>(device, n, i + 1);
    multiply<<<4, 256, 0, s>>>(device, n, 2);
    CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, s) == cudaSuccess);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaSuccess);
    CHECK(cudaStreamIsCapturing(s, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone);
    CHECK(count_nodes(graph) == 5);
    CHECK(device_has(1)); /* nothing ran */
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess && cudaGraphDestroy(graph) == cudaErrorInvalidValue);
    int expected = 1;
    for (int i = 0; i < 5; i++) {
        CHECK(cudaGraphLaunch(exec, s) == cudaSuccess);
        expected = (expected + 6) * 2;
    }
    CHECK(cudaStreamSynchronize(s) == cudaSuccess);
    CHECK(all(expected));
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphExecDestroy(exec) == cudaErrorInvalidValue);
    CHECK(cudaStreamDestroy(s) == cudaSuccess);
    (void)cudaGetLastError();
}

static void count_up(void *data)
{
    ++*(int *)data;
}

/* A captured stream that the first one has waited for may be destroyed before the capture ends. */
static void destroyed_meanwhile()
{
    cudaStream_t s, t;
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    cudaMemset(device, 0, bytes);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    CHECK(cudaEventRecord(forked, s) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(t, forked, 0) == cudaSuccess);
    add<<<4, 256, 0, t>>>(device, n, 3);
    CHECK(cudaEventRecord(joined, t) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(s, joined, 0) == cudaSuccess);
    CHECK(cudaStreamDestroy(t) == cudaSuccess);
    add<<<4, 256, 0, s>>>(device, n, 4);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaSuccess && count_nodes(graph) == 2);
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, s) == cudaSuccess);
    SYNC();
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    CHECK(host[0] == 7 && host[n - 1] == 7);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
}

/* a -> (b on s, c on t) -> d; with a host function and a memset. */
static void fork_and_join()
{
    cudaStream_t s, t;
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int calls = 0;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    CHECK(cudaMemsetAsync(device, 0, bytes, s) == cudaSuccess);
    CHECK(cudaEventRecord(forked, s) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(t, forked, 0) == cudaSuccess);
    CHECK(cudaMemsetAsync(other, 0, bytes, t) == cudaSuccess);
    add<<<4, 256, 0, t>>>(other, n, 5);
    CHECK(cudaEventRecord(joined, t) == cudaSuccess);
    add<<<4, 256, 0, s>>>(device, n, 7);
    CHECK(cudaStreamWaitEvent(s, joined, 0) == cudaSuccess);
    CHECK(cudaMemcpyAsync(device, other, bytes / 2, cudaMemcpyDeviceToDevice, s) == cudaSuccess);
    CHECK(cudaLaunchHostFunc(s, count_up, &calls) == cudaSuccess);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaSuccess);
    CHECK(count_nodes(graph) == 6);
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, i % 2 ? t : s) == cudaSuccess);
    SYNC();
    CHECK(calls == 3);
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    CHECK(host[0] == 5 && host[n / 2 - 1] == 5 && host[n / 2] == 7);
    CHECK(cudaEventQuery(forked) == cudaErrorCapturedEvent);
    CHECK(cudaStreamWaitEvent(s, forked, 0) == cudaErrorCapturedEvent);
    (void)cudaGetLastError();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

static void by_hand()
{
    cudaGraph_t graph, outer;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, first, second, copy, call, empty, nodes[8], child;
    cudaGraphNodeType type;
    int by = 3, count = n, calls = 0;
    size_t shared = 8;
    void *arguments[] = {&device, &count, &by};
    cudaKernelNodeParams kernel = {};
    cudaMemsetParams fill = {};
    cudaHostNodeParams function = {count_up, &calls};
    kernel.func = (void *)add;
    kernel.gridDim = dim3(4);
    kernel.blockDim = dim3(256);
    kernel.kernelParams = arguments;
    fill.dst = device;
    fill.elementSize = 4;
    fill.value = 100;
    fill.width = n;
    fill.height = 1;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill) == cudaSuccess);
    CHECK(cudaGraphAddKernelNode(&first, graph, &set, 1, &kernel) == cudaSuccess);
    by = 4; /* the first node has its 3 */
    CHECK(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel) == cudaSuccess);
    CHECK(cudaGraphAddDependencies(graph, &first, &second, 1) == cudaSuccess);
    CHECK(cudaGraphAddEmptyNode(&empty, graph, &second, 1) == cudaSuccess);
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &empty, 1, host, device, bytes, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    CHECK(cudaGraphAddHostNode(&call, graph, &copy, 1, &function) == cudaSuccess);
    CHECK(cudaGraphGetNodes(graph, nodes, &shared) == cudaSuccess && shared == 6 && nodes[0] == set);
    CHECK(cudaGraphGetRootNodes(graph, nodes, &shared) == cudaSuccess && shared == 1 && nodes[0] == set);
    CHECK(cudaGraphNodeGetType(copy, &type) == cudaSuccess && type == cudaGraphNodeTypeMemcpy);
    CHECK(cudaGraphDebugDotPrint(graph, "graph.dot", cudaGraphDebugDotFlagsVerbose) == cudaSuccess);
    CHECK(cudaGraphDebugDotPrint(graph, "no/such/folder", 0) == cudaErrorOperatingSystem);
    FILE *file = fopen("graph.dot", "r");
    char line[200];
    int kernels = 0, edges = 0;
    while (file != nullptr && fgets(line, sizeof line, file) != nullptr) {
        kernels += strstr(line, "KERNEL\\nadd\\n<<<4,1,1; 256,1,1; 0>>>") != nullptr;
        edges += strstr(line, "->") != nullptr;
    }
    CHECK(file != nullptr && fclose(file) == 0 && kernels == 2 && edges == 5);
    (void)cudaGetLastError();
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess);
    SYNC();
    CHECK(all(107) && calls == 1);

    by = 50;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, second, &kernel) == cudaSuccess);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, copy, &kernel) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess);
    SYNC();
    CHECK(all(153) && calls == 2);

    cudaGraphExecUpdateResultInfo told;
    fill.value = 0;
    cudaGraph_t changed;
    CHECK(cudaGraphClone(&changed, graph) == cudaSuccess);
    CHECK(cudaGraphExecUpdate(exec, changed, &told) == cudaSuccess &&
          told.result == cudaGraphExecUpdateSuccess);
    CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess);
    SYNC();
    CHECK(all(107));
    CHECK(cudaGraphAddEmptyNode(&empty, changed, nullptr, 0) == cudaSuccess);
    CHECK(cudaGraphExecUpdate(exec, changed, &told) == cudaErrorGraphExecUpdateFailure);
    CHECK(told.result == cudaGraphExecUpdateErrorTopologyChanged);
    (void)cudaGetLastError();
    cudaGraphExecDestroy(exec);

    CHECK(cudaGraphCreate(&outer, 0) == cudaSuccess);
    CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph) == cudaSuccess);
    CHECK(cudaGraphAddKernelNode(&second, outer, &child, 1, &kernel) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, outer, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess);
    SYNC();
    CHECK(calls == 4 && device_has(157));
    cudaGraphExecDestroy(exec);

    CHECK(cudaGraphAddDependencies(graph, &call, &set, 1) == cudaSuccess); /* a ring */
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaErrorInvalidValue);
    CHECK(cudaGraphDestroyNode(call) == cudaSuccess && count_nodes(graph) == 5);
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    (void)cudaGetLastError();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(outer);
    cudaGraphDestroy(changed);
}

/* What spoils a capture: each call returns `wanted`, and the end says that the capture was spoilt. */
template <class Call> static void spoils(cudaError_t wanted, Call call)
{
    cudaStream_t s;
    cudaGraph_t graph = (cudaGraph_t)1;
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamCreate(&s) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
    add<<<1, 1, 0, s>>>(device, n, 1);
    const cudaError_t got = call(s);
    if (got != wanted)
        printf("%s, not %s\n", cudaGetErrorName(got), cudaGetErrorName(wanted));
    CHECK(got == wanted);
    CHECK(cudaStreamIsCapturing(s, &status) == cudaSuccess && status == cudaStreamCaptureStatusInvalidated);
    CHECK(cudaMemsetAsync(device, 0, 4, s) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated && graph == nullptr);
    CHECK(cudaStreamDestroy(s) == cudaSuccess);
    (void)cudaGetLastError();
}

static void mistakes()
{
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaGraph_t graph = nullptr;
    static int *p;
    static cudaEvent_t outside;
    cudaEventCreate(&e);
    cudaEventCreate(&outside);
    cudaEventRecord(outside, 0);
    spoils(cudaErrorStreamCaptureUnsupported, [](cudaStream_t of) { return cudaStreamSynchronize(of); });
    spoils(cudaErrorStreamCaptureUnsupported, [](cudaStream_t of) { return cudaStreamQuery(of); });
    spoils(cudaErrorStreamCaptureUnsupported, [](cudaStream_t) { return cudaDeviceSynchronize(); });
    spoils(cudaErrorStreamCaptureUnsupported, [](cudaStream_t) { return cudaMalloc(&p, 4); });
    spoils(cudaErrorStreamCaptureImplicit, [](cudaStream_t) { return cudaMemset(device, 0, 4); });
    spoils(cudaErrorStreamCaptureImplicit,
           [](cudaStream_t) { return cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost); });
    spoils(cudaErrorStreamCaptureIsolation,
           [](cudaStream_t of) { return cudaStreamWaitEvent(of, outside, 0); });

    CHECK(cudaStreamCreate(&s) == cudaSuccess && cudaStreamCreate(&t) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorIllegalState);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed) == cudaErrorIllegalState);
    CHECK(cudaMalloc(&p, 4) == cudaSuccess); /* relaxed */
    CHECK(cudaEventRecord(e, s) == cudaSuccess && cudaStreamWaitEvent(t, e, 0) == cudaSuccess);
    add<<<1, 1, 0, t>>>(device, n, 1);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureUnjoined && graph == nullptr);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    CHECK(cudaEventRecord(e, s) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(t, e, 0) == cudaErrorStreamCaptureMerge);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamEndCapture(t, &graph) == cudaErrorStreamCaptureInvalidated);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess && mode == cudaStreamCaptureModeGlobal);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaFree(p) == cudaSuccess);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaSuccess && count_nodes(graph) == 0);
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
    (void)cudaGetLastError();
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

int main()
{
    CHECK(cudaMalloc(&device, bytes) == cudaSuccess && cudaMalloc(&other, bytes) == cudaSuccess);
    CHECK(cudaMallocHost(&host, bytes) == cudaSuccess);
    from_one_stream();
    fork_and_join();
    destroyed_meanwhile();
    by_hand();
    mistakes();
    SYNC();
    return finish();
}
