/**
 * @file graph_exec.c
 * @brief Ready graphs, captures, memory and objects of graphs, attributes of streams.
 */
#include "graph.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void graphs_become_ready(void)
{
    CUgraph graph = a_graph(), other;
    CUgraphNode node, another;
    CUgraphExec ready = NULL;
    CUdeviceptr device = zeros(64);
    CUDA_MEMSET_NODE_PARAMS params = {.dst = device, .value = 1, .elementSize = 4, .width = 1, .height = 1};
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {0};
    CUgraphExecUpdateResultInfo info;
    cuuint64_t flags = 77;
    unsigned enabled = 77;
    NEED(cuGraphAddMemsetNode(&node, graph, NULL, 0, &params, current()));
    RETURNS("cuGraphInstantiate", cuGraphInstantiate(&ready, graph, 0));
    RETURNS("cuGraphInstantiate: flags 0x100", cuGraphInstantiate(&ready, graph, 0x100));
    RETURNS("cuGraphInstantiate(NULL)", cuGraphInstantiate(NULL, graph, 0));
    RETURNS("cuGraphInstantiate: NULL graph", cuGraphInstantiate(&ready, NULL, 0));
    how.flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    RETURNS("cuGraphInstantiateWithParams", cuGraphInstantiateWithParams(&ready, graph, &how));
    answer("cuGraphInstantiateWithParams: result", "%d %d", (int)how.result_out, how.hErrNode_out ? 1 : 0);
    RETURNS("cuGraphInstantiateWithParams(NULL)", cuGraphInstantiateWithParams(&ready, graph, NULL));
    RETURNS("cuGraphExecGetFlags", cuGraphExecGetFlags(ready, &flags));
    answer("cuGraphExecGetFlags: which", "%d", (int)flags);
    RETURNS("cuGraphUpload", cuGraphUpload(ready, 0));
    RETURNS("cuGraphUpload: NULL", cuGraphUpload(NULL, 0));
    RETURNS("cuGraphLaunch", cuGraphLaunch(ready, 0));
    RETURNS("cuGraphLaunch: NULL", cuGraphLaunch(NULL, 0));
    RETURNS("cuGraphNodeGetEnabled", cuGraphNodeGetEnabled(ready, node, &enabled));
    answer("cuGraphNodeGetEnabled: first", "%u", enabled);
    RETURNS("cuGraphNodeSetEnabled", cuGraphNodeSetEnabled(ready, node, 0));
    params.value = 9;
    RETURNS("cuGraphExecMemsetNodeSetParams",
            cuGraphExecMemsetNodeSetParams(ready, node, &params, current()));
    NEED(cuGraphLaunch(ready, 0));
    answer("cuGraphNodeSetEnabled: off", "%d", read_int(device));
    NEED(cuGraphNodeSetEnabled(ready, node, 1));
    NEED(cuGraphLaunch(ready, 0));
    answer("cuGraphNodeSetEnabled: on", "%d", read_int(device));
    NEED(cuGraphClone(&other, graph));
    RETURNS("cuGraphExecUpdate", cuGraphExecUpdate(ready, other, &info));
    answer("cuGraphExecUpdate: result", "%d", (int)info.result);
    NEED(cuGraphAddEmptyNode(&another, other, NULL, 0));
    RETURNS("cuGraphExecUpdate: another shape", cuGraphExecUpdate(ready, other, &info));
    answer("cuGraphExecUpdate: another shape: result", "%d", (int)info.result);
    RETURNS("cuGraphExecDestroy", cuGraphExecDestroy(ready));
    RETURNS("cuGraphExecDestroy: NULL", cuGraphExecDestroy(NULL));
}

static void events_and_memory_are_nodes(void)
{
    CUgraph graph = a_graph();
    CUgraphNode record, wait, take, give;
    CUevent event, its = NULL;
    CUdeviceptr address = 0;
    unsigned long long bytes = 77;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                       .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
                                         .bytesize = 1000};
    NEED(cuEventCreate(&event, 0));
    RETURNS("event node: record", cuGraphAddEventRecordNode(&record, graph, NULL, 0, event));
    RETURNS("event node: record NULL", cuGraphAddEventRecordNode(&wait, graph, NULL, 0, NULL));
    RETURNS("event node: which", cuGraphEventRecordNodeGetEvent(record, &its));
    answer("event node: the same", "%d", its == event);
    RETURNS("event node: wait", cuGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    RETURNS("event node: wait as record", cuGraphEventRecordNodeGetEvent(wait, &its));
    RETURNS("memory node", cuGraphAddMemAllocNode(&take, graph, NULL, 0, &params));
    answer("memory node: address", "%d", params.dptr != 0);
    RETURNS("memory node: told", cuGraphMemAllocNodeGetParams(take, &params));
    answer("memory node: told: bytes", "%zu", params.bytesize);
    RETURNS("memory node: free", cuGraphAddMemFreeNode(&give, graph, &take, 1, params.dptr));
    RETURNS("memory node: free: told", cuGraphMemFreeNodeGetParams(give, &address));
    answer("memory node: free: the same", "%d", address == params.dptr);
    RETURNS("memory node: free again", cuGraphAddMemFreeNode(&give, graph, &take, 1, params.dptr));
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    RETURNS("memory node: of no type", cuGraphAddMemAllocNode(&take, graph, NULL, 0, &params));
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.bytesize = 0;
    RETURNS("memory node: 0 bytes", cuGraphAddMemAllocNode(&take, graph, NULL, 0, &params));
    RETURNS("memory node: run", run_graph(graph));
    RETURNS("cuDeviceGetGraphMemAttribute",
            cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));
    answer("cuDeviceGetGraphMemAttribute: used", "%llu", bytes);
    RETURNS("cuDeviceGetGraphMemAttribute: 9", cuDeviceGetGraphMemAttribute(0, 9, &bytes));
    bytes = 0;
    RETURNS("cuDeviceSetGraphMemAttribute: high",
            cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes));
    RETURNS("cuDeviceSetGraphMemAttribute: current",
            cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));
    RETURNS("cuDeviceGraphMemTrim", cuDeviceGraphMemTrim(0));
    RETURNS("cuDeviceGraphMemTrim: 99", cuDeviceGraphMemTrim(99));
}

static void captures_are_told(void)
{
    CUstream stream, other;
    CUevent event;
    CUgraph graph = a_graph(), found = NULL;
    CUstreamCaptureStatus status = 77;
    cuuint64_t id = 77;
    const CUgraphNode *nodes = NULL;
    size_t count = 77;
    CUdeviceptr device = zeros(64);
    NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    NEED(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    NEED(cuEventCreate(&event, 0));
    RETURNS("cuStreamGetCaptureInfo: none",
            cuStreamGetCaptureInfo(stream, &status, &id, &found, &nodes, NULL, &count));
    answer("cuStreamGetCaptureInfo: none: status", "%d", (int)status);
    RETURNS("cuStreamBeginCaptureToGraph",
            cuStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    RETURNS("cuStreamBeginCaptureToGraph: again",
            cuStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    NEED(cuMemsetD32Async(device, 3, 1, stream));
    RETURNS("cuStreamGetCaptureInfo",
            cuStreamGetCaptureInfo(stream, &status, &id, &found, &nodes, NULL, &count));
    answer("cuStreamGetCaptureInfo: status, graph, nodes", "%d %d %zu", (int)status, found == graph, count);
    RETURNS("cuStreamGetCaptureInfo(NULL)",
            cuStreamGetCaptureInfo(stream, NULL, &id, &found, &nodes, NULL, &count));
    RETURNS("cuStreamUpdateCaptureDependencies: flags 9",
            cuStreamUpdateCaptureDependencies(stream, NULL, NULL, 0, 9));
    RETURNS("cuStreamUpdateCaptureDependencies: none left",
            cuStreamUpdateCaptureDependencies(stream, NULL, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    NEED(cuMemsetD32Async(device + 4, 4, 1, stream));
    NEED(cuEventRecord(event, stream));
    NEED(cuStreamWaitEvent(other, event, 0));
    NEED(cuMemsetD32Async(device + 8, 5, 1, other));
    NEED(cuEventRecord(event, other));
    NEED(cuStreamWaitEvent(stream, event, 0));
    RETURNS("cuStreamDestroy: joined in a capture", cuStreamDestroy(other));
    found = NULL;
    RETURNS("cuStreamEndCapture: to a graph", cuStreamEndCapture(stream, &found));
    answer("cuStreamEndCapture: to a graph: the same", "%d", found == graph);
    NEED(cuGraphGetRootNodes(graph, NULL, &count));
    answer("cuStreamUpdateCaptureDependencies: roots", "%zu", count);
    RETURNS("cuStreamEndCapture: to a graph: run", run_graph(graph));
    answer("cuStreamEndCapture: to a graph: results", "%d %d %d", read_int(device), read_int(device + 4),
           read_int(device + 8));
}

static void streams_of_streams_are_joined(void)
{
    CUstream first, second, third, fourth;
    CUevent event;
    CUgraph graph;
    CUdeviceptr device;
    in_a_context();
    device = zeros(64);
    NEED(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    NEED(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    NEED(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
    NEED(cuStreamCreate(&fourth, CU_STREAM_NON_BLOCKING));
    NEED(cuEventCreate(&event, 0));
    NEED(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    NEED(cuEventRecord(event, first));
    NEED(cuStreamWaitEvent(second, event, 0));
    NEED(cuStreamWaitEvent(third, event, 0));
    NEED(cuStreamWaitEvent(fourth, event, 0));
    NEED(cuMemsetD32Async(device, 3, 1, third));
    NEED(cuMemsetD32Async(device + 4, 4, 1, second));
    NEED(cuMemsetD32Async(device + 8, 5, 1, fourth));
    NEED(cuEventRecord(event, third));
    NEED(cuStreamWaitEvent(second, event, 0));
    RETURNS("a stream that another one has joined: cuStreamDestroy", cuStreamDestroy(third));
    NEED(cuEventRecord(event, second));
    RETURNS("a stream that another one has joined: then", cuStreamWaitEvent(first, event, 0));
    RETURNS("a stream that nobody has joined: cuStreamDestroy", cuStreamDestroy(fourth));
    RETURNS("a stream that nobody has joined: cuStreamEndCapture", cuStreamEndCapture(first, &graph));
}

static void objects_are_counted(void)
{
    CUgraph graph = a_graph();
    CUuserObject object = NULL;
    int anything;
    RETURNS("cuUserObjectCreate: no flag",
            cuUserObjectCreate(&object, &anything, (CUhostFn)(uintptr_t)puts, 1, 0));
    RETURNS("cuUserObjectCreate: no function",
            cuUserObjectCreate(&object, &anything, NULL, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    RETURNS("cuUserObjectCreate: no references",
            cuUserObjectCreate(&object, &anything, (CUhostFn)(uintptr_t)puts, 0,
                               CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    RETURNS("cuUserObjectCreate", cuUserObjectCreate(&object, &anything, (CUhostFn)(uintptr_t)puts, 5,
                                                     CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    RETURNS("cuUserObjectRetain", cuUserObjectRetain(object, 2));
    RETURNS("cuUserObjectRetain: 0", cuUserObjectRetain(object, 0));
    RETURNS("cuUserObjectRelease", cuUserObjectRelease(object, 2));
    RETURNS("cuUserObjectRelease: NULL", cuUserObjectRelease(NULL, 1));
    RETURNS("cuGraphRetainUserObject", cuGraphRetainUserObject(graph, object, 1, 0));
    RETURNS("cuGraphRetainUserObject: move",
            cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    RETURNS("cuGraphRetainUserObject: flags 2", cuGraphRetainUserObject(graph, object, 1, 2));
    RETURNS("cuGraphReleaseUserObject", cuGraphReleaseUserObject(graph, object, 1));
    RETURNS("cuGraphReleaseUserObject: too many", cuGraphReleaseUserObject(graph, object, 9));
}

static void count_up(void *number)
{
    ++*(volatile int *)number;
}

/* A graph of one kernel that owns an object, whose end is counted. */
static CUgraph owner(CUfunction function, int *ended)
{
    CUgraph graph;
    CUgraphNode node;
    CUuserObject object;
    CUDA_KERNEL_NODE_PARAMS params = {.func = function,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1};
    NEED(cuGraphCreate(&graph, 0));
    NEED(cuGraphAddKernelNode(&node, graph, NULL, 0, &params));
    NEED(cuUserObjectCreate(&object, ended, count_up, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    NEED(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    return graph;
}

/* Destructors run in a thread of the driver's. */
static int soon(volatile int *number, int expected)
{
    for (int i = 0; i < 2000 && *number != expected; i++) {
        struct timespec pause = {0, 1000000};
        NEED(cuCtxSynchronize());
        nanosleep(&pause, NULL);
    }
    return *number;
}

static void objects_go_with_an_update(void)
{
    int first = 0, second = 0;
    CUfunction function;
    CUgraphExec ready;
    CUgraphExecUpdateResultInfo info;
    in_a_context();
    function = kernel("nothing");
    CUgraph one = owner(function, &first), two = owner(function, &second);
    NEED(cuGraphInstantiate(&ready, one, 0));
    NEED(cuGraphLaunch(ready, 0));
    RETURNS("cuGraphExecUpdate: with objects", cuGraphExecUpdate(ready, two, &info));
    NEED(cuGraphDestroy(one));
    NEED(cuGraphDestroy(two));
    answer("cuGraphExecUpdate: with objects: the first one ended", "%d", soon(&first, 1));
    answer("cuGraphExecUpdate: with objects: the second one not", "%d", second);
    NEED(cuGraphExecDestroy(ready));
    answer("cuGraphExecUpdate: with objects: then it has", "%d", soon(&second, 1));
}

static void streams_have_attributes(void)
{
    CUstream stream, other;
    CUstreamAttrValue value;
    in_a_context();
    memset(&value, 0, sizeof value);
    NEED(cuStreamCreateWithPriority(&stream, 0, -1));
    NEED(cuStreamCreate(&other, 0));
    RETURNS("cuStreamGetAttribute: priority",
            cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    answer("cuStreamGetAttribute: priority: which", "%d", value.priority);
    RETURNS("cuStreamGetAttribute(NULL)", cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY, NULL));
    RETURNS("cuStreamGetAttribute: cooperative",
            cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    value.syncPolicy = CU_SYNC_POLICY_SPIN;
    RETURNS("cuStreamSetAttribute: spin",
            cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    RETURNS("cuStreamSetAttribute(NULL)",
            cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, NULL));
    RETURNS("cuStreamCopyAttributes", cuStreamCopyAttributes(other, stream));
    RETURNS("cuStreamCopyAttributes: NULL", cuStreamCopyAttributes(NULL, NULL));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour graph_exec_behaviours[] = {
    RUN(graphs_become_ready),     RUN(events_and_memory_are_nodes),
    RUN(captures_are_told),       RUN(streams_of_streams_are_joined),
    RUN(objects_are_counted),     RUN(objects_go_with_an_update),
    RUN(streams_have_attributes), {NULL, NULL}};
