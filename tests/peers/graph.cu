/**
 * @file graph.cu
 * @brief Graphs with work on two devices.
 */
#include "peers.h"

#include <cstring>

static cudaGraphExec_t made(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    NEED(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

static void a_stream_of_another_device_is_captured()
{
    int *of_1 = numbers(1, 1);
    cudaStream_t stream = stream_of(1), own = stream_of(0);
    cudaGraph_t graph;
    RETURNS("capture: a stream of 1, 0 current", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    RETURNS("capture: a launch", launch_add(of_1, 1, stream));
    RETURNS("capture: its end", cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec = made(graph);
    RETURNS("graph: launched in a stream of 1", cudaGraphLaunch(exec, stream));
    RETURNS("graph: synchronised", cudaStreamSynchronize(stream));
    ANSWER("graph: sum", "%ld", sum(of_1));
    RETURNS("graph: launched in a stream of 0", cudaGraphLaunch(exec, own));
    RETURNS("graph: that synchronised", cudaStreamSynchronize(own));
    ANSWER("graph: sum then", "%ld", sum(of_1));
}

static void another_devices_legacy_stream_is_not_involved()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1);
    cudaStream_t stream = stream_of(0);
    cudaGraph_t graph;
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    NEED(launch_add(of_0, 1, stream));
    NEED(cudaSetDevice(1));
    RETURNS("capture: a launch in 1's legacy stream meanwhile", launch_add(of_1, 1));
    NEED(cudaSetDevice(0));
    RETURNS("capture: its end after that", cudaStreamEndCapture(stream, &graph));
}

static void a_capture_spans_two_devices()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1);
    cudaStream_t first = stream_of(0), second = stream_of(1);
    cudaEvent_t begun = event_of(0), done = event_of(1);
    cudaGraph_t graph;
    NEED(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    NEED(launch_add(of_0, 1, first));
    NEED(cudaEventRecord(begun, first));
    RETURNS("capture: a stream of 1 joins", cudaStreamWaitEvent(second, begun, 0));
    RETURNS("capture: a launch on 1", launch_add(of_1, 2, second));
    RETURNS("capture: an event of 1", cudaEventRecord(done, second));
    RETURNS("capture: joined again", cudaStreamWaitEvent(first, done, 0));
    NEED(launch_add(of_0, 4, first));
    RETURNS("capture: end of both", cudaStreamEndCapture(first, &graph));
    RETURNS("graph of both: launched", cudaGraphLaunch(made(graph), first));
    RETURNS("graph of both: synchronised", cudaStreamSynchronize(first));
    ANSWER("graph of both: sums", "%ld %ld", sum(of_0), sum(of_1));
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, int *p, int value, cudaGraphNode_t after)
{
    cudaKernelNodeParams params;
    cudaGraphNode_t node;
    void *arguments[] = {&p, &value};
    std::memset(&params, 0, sizeof params);
    params.func = (void *)add;
    params.gridDim = dim3(N / 256);
    params.blockDim = dim3(256);
    params.kernelParams = arguments;
    NEED(cudaGraphAddKernelNode(&node, graph, after ? &after : nullptr, after ? 1 : 0, &params));
    return node;
}

static void nodes_are_of_the_device_that_was_current()
{
    int *of_0 = numbers(0, 1), *of_1 = numbers(1, 1);
    cudaGraph_t graph;
    NEED(cudaGraphCreate(&graph, 0));
    const cudaGraphNode_t first = add_kernel(graph, of_0, 1, nullptr);
    NEED(cudaSetDevice(1));
    add_kernel(graph, of_1, 2, first);
    NEED(cudaSetDevice(0));
    RETURNS("nodes: launched", cudaGraphLaunch(made(graph), 0));
    RETURNS("nodes: synchronised", cudaStreamSynchronize(0));
    ANSWER("nodes: sums", "%ld %ld", sum(of_0), sum(of_1));
}

static void a_node_copies_between()
{
    int *of_0 = numbers(0, 3), *of_1 = numbers(1, 1);
    cudaGraph_t graph;
    cudaGraphNode_t node;
    NEED(cudaGraphCreate(&graph, 0));
    RETURNS("nodes: a copy between", cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, of_1, of_0,
                                                              N * sizeof(int), cudaMemcpyDefault));
    RETURNS("nodes: that launched", (cudaGraphLaunch(made(graph), 0), cudaStreamSynchronize(0)));
    ANSWER("nodes: that copied, sum", "%ld", sum(of_1));
}

static void a_graph_launched_twice_on_two_devices()
{
    int *of_0 = numbers(0, 1);
    cudaGraph_t graph;
    NEED(cudaGraphCreate(&graph, 0));
    add_kernel(graph, of_0, 1, nullptr);
    NEED(cudaSetDevice(1));
    RETURNS("nodes: of 0, launched with 1 current", cudaGraphLaunch(made(graph), 0));
    RETURNS("nodes: that synchronised", cudaDeviceSynchronize());
    ANSWER("nodes: of 0, sum", "%ld", sum(of_0));
}

extern const behaviour graph_behaviours[] = {
    {"a stream of another device is captured", a_stream_of_another_device_is_captured},
    {"another device's legacy stream is not involved", another_devices_legacy_stream_is_not_involved},
    {"a capture spans two devices", a_capture_spans_two_devices},
    {"nodes are of the device that was current", nodes_are_of_the_device_that_was_current},
    {"a node copies between", a_node_copies_between},
    {"a graph of 0 is launched with 1 current", a_graph_launched_twice_on_two_devices},
    {nullptr, nullptr}};
