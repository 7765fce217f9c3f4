/**
 * @file graph.c
 * @brief Graphs: nodes of each type and what they tell.
 */
#include "graph.h"

#include <string.h>

int read_int(CUdeviceptr p)
{
    int value = -1;
    NEED(cuMemcpyDtoH(&value, p, sizeof value));
    return value;
}

CUgraph a_graph(void)
{
    CUgraph graph;
    in_a_context();
    NEED(cuGraphCreate(&graph, 0));
    return graph;
}

CUcontext current(void)
{
    CUcontext context;
    NEED(cuCtxGetCurrent(&context));
    return context;
}

/* Makes a graph ready, launches it, and waits. */
CUresult run_graph(CUgraph graph)
{
    CUgraphExec ready;
    CUresult result = cuGraphInstantiate(&ready, graph, 0);
    if (result)
        return result;
    result = cuGraphLaunch(ready, 0);
    const CUresult then = cuCtxSynchronize();
    cuGraphExecDestroy(ready);
    return result ? result : then;
}

static void graphs_are_made(void)
{
    CUgraph graph = NULL, copy = NULL;
    CUgraphNode nodes[4], from[4], to[4], found = NULL;
    CUgraphNodeType type = 77;
    size_t count = 4;
    NEED(cuInit(0));
    RETURNS("cuGraphCreate: no context", cuGraphCreate(&graph, 0));
    in_a_context();
    RETURNS("cuGraphCreate", cuGraphCreate(&graph, 0));
    RETURNS("cuGraphCreate: flags 1", cuGraphCreate(&copy, 1));
    RETURNS("cuGraphCreate(NULL)", cuGraphCreate(NULL, 0));
    RETURNS("cuGraphAddEmptyNode", cuGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
    RETURNS("cuGraphAddEmptyNode: after one", cuGraphAddEmptyNode(&nodes[1], graph, &nodes[0], 1));
    RETURNS("cuGraphAddEmptyNode: twice after one",
            cuGraphAddEmptyNode(&nodes[2], graph, (CUgraphNode[]){nodes[0], nodes[0]}, 2));
    RETURNS("cuGraphAddEmptyNode: NULL graph", cuGraphAddEmptyNode(&nodes[3], NULL, NULL, 0));
    RETURNS("cuGraphAddEmptyNode: NULL node", cuGraphAddEmptyNode(NULL, graph, NULL, 0));
    RETURNS("cuGraphAddEmptyNode: NULL dependencies", cuGraphAddEmptyNode(&nodes[3], graph, NULL, 1));
    RETURNS("cuGraphGetNodes", cuGraphGetNodes(graph, NULL, &count));
    answer("cuGraphGetNodes: how many", "%zu", count);
    RETURNS("cuGraphGetNodes(NULL)", cuGraphGetNodes(graph, NULL, NULL));
    count = 4;
    RETURNS("cuGraphGetNodes: room for 4", cuGraphGetNodes(graph, from, &count));
    answer("cuGraphGetNodes: room for 4: how many", "%zu", count);
    count = 4;
    RETURNS("cuGraphGetRootNodes", cuGraphGetRootNodes(graph, from, &count));
    answer("cuGraphGetRootNodes: how many", "%zu", count);
    count = 4;
    RETURNS("cuGraphGetEdges", cuGraphGetEdges(graph, from, to, NULL, &count));
    answer("cuGraphGetEdges: how many", "%zu", count);
    count = 4;
    RETURNS("cuGraphNodeGetDependencies", cuGraphNodeGetDependencies(nodes[1], from, NULL, &count));
    answer("cuGraphNodeGetDependencies: how many", "%zu", count);
    RETURNS("cuGraphNodeGetDependentNodes", cuGraphNodeGetDependentNodes(nodes[0], NULL, NULL, &count));
    answer("cuGraphNodeGetDependentNodes: how many", "%zu", count);
    RETURNS("cuGraphNodeGetType", cuGraphNodeGetType(nodes[0], &type));
    answer("cuGraphNodeGetType: which", "%d", (int)type);
    RETURNS("cuGraphNodeGetType: NULL", cuGraphNodeGetType(NULL, &type));
    RETURNS("cuGraphAddDependencies", cuGraphAddDependencies(graph, &nodes[1], &nodes[2], NULL, 1));
    RETURNS("cuGraphAddDependencies: again", cuGraphAddDependencies(graph, &nodes[1], &nodes[2], NULL, 1));
    RETURNS("cuGraphAddDependencies: of itself",
            cuGraphAddDependencies(graph, &nodes[1], &nodes[1], NULL, 1));
    RETURNS("cuGraphAddDependencies: in a circle",
            cuGraphAddDependencies(graph, &nodes[2], &nodes[0], NULL, 1));
    RETURNS("cuGraphInstantiate: after a circle", run_graph(graph));
    RETURNS("cuGraphRemoveDependencies", cuGraphRemoveDependencies(graph, &nodes[1], &nodes[2], NULL, 1));
    RETURNS("cuGraphRemoveDependencies: again",
            cuGraphRemoveDependencies(graph, &nodes[1], &nodes[2], NULL, 1));
    RETURNS("cuGraphClone", cuGraphClone(&copy, graph));
    RETURNS("cuGraphNodeFindInClone", cuGraphNodeFindInClone(&found, nodes[1], copy));
    RETURNS("cuGraphNodeFindInClone: of the graph itself", cuGraphNodeFindInClone(&found, nodes[1], graph));
    RETURNS("cuGraphDestroyNode", cuGraphDestroyNode(nodes[1]));
    RETURNS("cuGraphDestroyNode: NULL", cuGraphDestroyNode(NULL));
    RETURNS("cuGraphDestroy", cuGraphDestroy(graph));
    RETURNS("cuGraphDestroy: NULL", cuGraphDestroy(NULL));
}

static void kernels_are_nodes(void)
{
    CUgraph graph = a_graph();
    CUgraphNode node = NULL;
    CUfunction function = kernel("mixed");
    CUdeviceptr out = zeros(4);
    char c = 1, packed[40] = {0};
    double d = 20;
    short s = 300;
    void *parameters[] = {&c, &d, &s, &out};
    size_t size = 32;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    CUDA_KERNEL_NODE_PARAMS params = {.func = function,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = parameters};
    CUDA_KERNEL_NODE_PARAMS told, other;
    RETURNS("kernel node", cuGraphAddKernelNode(&node, graph, NULL, 0, &params));
    RETURNS("kernel node: run", run_graph(graph));
    answer("kernel node: result", "%d", read_int(out));
    memset(&told, 0x55, sizeof told);
    RETURNS("cuGraphKernelNodeGetParams", cuGraphKernelNodeGetParams(node, &told));
    answer("cuGraphKernelNodeGetParams: func, kern, ctx", "%d %d %d", told.func == function,
           told.kern != NULL, told.ctx == current());
    answer("cuGraphKernelNodeGetParams: grid, block, shared", "%u %u %u", told.gridDimX, told.blockDimX,
           told.sharedMemBytes);
    answer("cuGraphKernelNodeGetParams: arguments, extra", "%d %d", told.kernelParams != NULL,
           told.extra != NULL);
    if (told.kernelParams)
        answer("cuGraphKernelNodeGetParams: d, s", "%g %d", *(double *)told.kernelParams[1],
               *(short *)told.kernelParams[2]);
    RETURNS("cuGraphKernelNodeSetParams: what was told", cuGraphKernelNodeSetParams(node, &told));
    s = 500;
    RETURNS("cuGraphKernelNodeSetParams", cuGraphKernelNodeSetParams(node, &params));
    RETURNS("cuGraphKernelNodeSetParams: run", run_graph(graph));
    answer("cuGraphKernelNodeSetParams: result", "%d", read_int(out));
    packed[0] = 2;
    memcpy(packed + 8, &d, 8);
    memcpy(packed + 16, &s, 2);
    memcpy(packed + 24, &out, 8);
    other = params;
    other.kernelParams = NULL;
    other.extra = extra;
    RETURNS("kernel node: packed", cuGraphKernelNodeSetParams(node, &other));
    RETURNS("kernel node: packed: run", run_graph(graph));
    answer("kernel node: packed: result", "%d", read_int(out));
    other.kernelParams = parameters;
    RETURNS("kernel node: both forms", cuGraphKernelNodeSetParams(node, &other));
    other.kernelParams = NULL;
    other.extra = NULL;
    RETURNS("kernel node: neither form", cuGraphKernelNodeSetParams(node, &other));
    other = params;
    other.func = NULL;
    RETURNS("kernel node: no function", cuGraphAddKernelNode(&node, graph, NULL, 0, &other));
    other = params;
    other.blockDimX = 1025;
    RETURNS("kernel node: block of 1025", cuGraphAddKernelNode(&node, graph, NULL, 0, &other));
    other.blockDimX = 0;
    RETURNS("kernel node: block of 0", cuGraphAddKernelNode(&node, graph, NULL, 0, &other));
    RETURNS("kernel node: NULL params", cuGraphAddKernelNode(&node, graph, NULL, 0, NULL));
}

static void kernels_of_libraries_are_nodes(void)
{
    CUgraph graph = a_graph();
    CUgraphNode node = NULL;
    CUlibrary library;
    CUkernel count;
    CUdeviceptr out = zeros(4);
    void *parameters[] = {&out};
    NEED(cuLibraryLoadFromFile(&library, kernels_file, NULL, NULL, 0, NULL, NULL, 0));
    NEED(cuLibraryGetKernel(&count, library, "doubles"));
    CUDA_KERNEL_NODE_PARAMS params = {.kern = count,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = parameters};
    CUDA_KERNEL_NODE_PARAMS told;
    RETURNS("kernel node by kern", cuGraphAddKernelNode(&node, graph, NULL, 0, &params));
    RETURNS("kernel node by kern: run", run_graph(graph));
    answer("kernel node by kern: result", "%d", read_int(out));
    memset(&told, 0x55, sizeof told);
    RETURNS("kernel node by kern: told", cuGraphKernelNodeGetParams(node, &told));
    answer("kernel node by kern: func, kern, ctx", "%d %d %d", told.func != NULL, told.kern == count,
           told.ctx == current());
    RETURNS("kernel node by kern: what was told", cuGraphKernelNodeSetParams(node, &told));
    params.func = kernel("doubles");
    RETURNS("kernel node by both", cuGraphAddKernelNode(&node, graph, NULL, 0, &params));
}

static void copies_are_nodes(void)
{
    CUgraph graph = a_graph();
    CUgraphNode node = NULL;
    CUdeviceptr device = zeros(64);
    int host[16] = {1, 2, 3, 4};
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = host,
                          .srcPitch = 16,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = device,
                          .dstXInBytes = 4,
                          .dstPitch = 16,
                          .WidthInBytes = 8,
                          .Height = 1,
                          .Depth = 1};
    CUDA_MEMCPY3D told, other;
    RETURNS("copy node", cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, current()));
    RETURNS("copy node: run", run_graph(graph));
    answer("copy node: result", "%d %d", read_int(device + 4), read_int(device + 8));
    memset(&told, 0x55, sizeof told);
    RETURNS("copy node: told", cuGraphMemcpyNodeGetParams(node, &told));
    answer("copy node: told: types", "%d %d", (int)told.srcMemoryType, (int)told.dstMemoryType);
    answer("copy node: told: source", "%d %d", told.srcHost == host, told.srcDevice == 0);
    answer("copy node: told: target", "%d %zu", told.dstDevice == device, told.dstXInBytes);
    answer("copy node: told: extent", "%zu %zu %zu", told.WidthInBytes, told.Height, told.Depth);
    answer("copy node: told: pitches", "%zu %zu", told.srcPitch, told.dstPitch);
    RETURNS("copy node: what was told", cuGraphMemcpyNodeSetParams(node, &told));
    RETURNS("copy node: no context", cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, NULL));
    other = copy;
    other.WidthInBytes = 0;
    RETURNS("copy node: 0 bytes", cuGraphAddMemcpyNode(&node, graph, NULL, 0, &other, current()));
    other = copy;
    other.Depth = 0;
    RETURNS("copy node: depth 0", cuGraphAddMemcpyNode(&node, graph, NULL, 0, &other, current()));
    other = copy;
    other.dstDevice = 0;
    RETURNS("copy node: to 0", cuGraphAddMemcpyNode(&node, graph, NULL, 0, &other, current()));
    other = copy;
    other.srcMemoryType = 9;
    RETURNS("copy node: type 9", cuGraphAddMemcpyNode(&node, graph, NULL, 0, &other, current()));
    RETURNS("copy node: NULL", cuGraphAddMemcpyNode(&node, graph, NULL, 0, NULL, current()));
}

static void memsets_and_functions_are_nodes(void)
{
    CUgraph graph = a_graph();
    CUgraphNode set = NULL, host = NULL;
    CUdeviceptr device = zeros(64);
    CUDA_MEMSET_NODE_PARAMS params = {
        .dst = device, .value = 0x01020304, .elementSize = 4, .width = 4, .height = 1};
    CUDA_MEMSET_NODE_PARAMS told;
    CUDA_HOST_NODE_PARAMS call = {NULL, NULL};
    RETURNS("memset node", cuGraphAddMemsetNode(&set, graph, NULL, 0, &params, current()));
    RETURNS("memset node: run", run_graph(graph));
    answer("memset node: result", "%x %x", (unsigned)read_int(device), (unsigned)read_int(device + 16));
    memset(&told, 0x55, sizeof told);
    RETURNS("memset node: told", cuGraphMemsetNodeGetParams(set, &told));
    answer("memset node: told: what", "%d %zu %x %u %zu %zu", told.dst == device, told.pitch, told.value,
           told.elementSize, told.width, told.height);
    params.elementSize = 3;
    RETURNS("memset node: elements of 3", cuGraphMemsetNodeSetParams(set, &params));
    params.elementSize = 2;
    RETURNS("memset node: too large a value", cuGraphMemsetNodeSetParams(set, &params));
    params.value = 5;
    params.height = 2;
    params.pitch = 4;
    RETURNS("memset node: narrow pitch", cuGraphMemsetNodeSetParams(set, &params));
    params.height = 0;
    RETURNS("memset node: no rows", cuGraphMemsetNodeSetParams(set, &params));
    RETURNS("memset node: no context", cuGraphAddMemsetNode(&set, graph, NULL, 0, &params, NULL));
    RETURNS("host node: no function", cuGraphAddHostNode(&host, graph, NULL, 0, &call));
    RETURNS("host node: NULL", cuGraphAddHostNode(&host, graph, NULL, 0, NULL));
    RETURNS("memset node: as a kernel", cuGraphHostNodeGetParams(set, &call));
}

static void nodes_of_any_type_are_added(void)
{
    CUgraph graph = a_graph(), child;
    CUgraphNode node = NULL;
    CUdeviceptr device = zeros(64);
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    params.memset = (CUDA_MEMSET_NODE_PARAMS_v2){
        .dst = device, .value = 7, .elementSize = 4, .width = 1, .height = 1, .ctx = current()};
    RETURNS("any node: memset", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    RETURNS("any node: memset: run", run_graph(graph));
    answer("any node: memset: result", "%d", read_int(device));
    params.memset.ctx = NULL;
    RETURNS("any node: memset, no context", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    params.reserved2 = 1;
    RETURNS("any node: a reserved word", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_EMPTY;
    RETURNS("any node: empty", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    params.type = 99;
    RETURNS("any node: type 99", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    RETURNS("any node: NULL", cuGraphAddNode(&node, graph, NULL, NULL, 0, NULL));
    params.type = CU_GRAPH_NODE_TYPE_GRAPH;
    NEED(cuGraphCreate(&child, 0));
    params.graph.graph = child;
    RETURNS("any node: graph", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    answer("any node: graph: the same", "%d", params.graph.graph == child);
    RETURNS("cuGraphChildGraphNodeGetGraph", cuGraphChildGraphNodeGetGraph(node, &child));
    RETURNS("cuGraphChildGraphNodeGetGraph(NULL)", cuGraphChildGraphNodeGetGraph(node, NULL));
    RETURNS("child node: of itself", cuGraphAddChildGraphNode(&node, graph, NULL, 0, graph));
}

static void conditions_need_handles(void)
{
    CUgraph graph = a_graph(), body;
    CUgraphNode node = NULL;
    CUgraphConditionalHandle handle = 0;
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
    RETURNS("cuGraphConditionalHandleCreate",
            cuGraphConditionalHandleCreate(&handle, graph, current(), 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    RETURNS("cuGraphConditionalHandleCreate: no context",
            cuGraphConditionalHandleCreate(&handle, graph, NULL, 1, 1));
    RETURNS("cuGraphConditionalHandleCreate: flags 2",
            cuGraphConditionalHandleCreate(&handle, graph, current(), 1, 2));
    RETURNS("cuGraphConditionalHandleCreate(NULL)",
            cuGraphConditionalHandleCreate(NULL, graph, current(), 1, 1));
    params.conditional = (CUDA_CONDITIONAL_NODE_PARAMS){
        .handle = handle, .type = CU_GRAPH_COND_TYPE_IF, .size = 1, .ctx = current()};
    RETURNS("conditional node", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    answer("conditional node: graphs", "%d", params.conditional.phGraph_out != NULL);
    body = params.conditional.phGraph_out ? params.conditional.phGraph_out[0] : NULL;
    RETURNS("conditional node: the same handle", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    RETURNS("conditional node: the same handle, inside", cuGraphAddNode(&node, body, NULL, NULL, 0, &params));
    NEED(cuGraphConditionalHandleCreate(&handle, graph, current(), 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    params.conditional.handle = handle;
    RETURNS("conditional node: inside, a handle of the graph around",
            cuGraphAddNode(&node, body, NULL, NULL, 0, &params));
    NEED(cuGraphConditionalHandleCreate(&handle, graph, current(), 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    params.conditional.handle = handle;
    params.conditional.size = 3;
    RETURNS("conditional node: IF of 3", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    params.conditional.size = 1;
    params.conditional.handle = 12345;
    RETURNS("conditional node: another handle", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    params.conditional.handle = handle;
    params.conditional.ctx = NULL;
    RETURNS("conditional node: no context", cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour graph_behaviours[] = {RUN(graphs_are_made),
                                             RUN(kernels_are_nodes),
                                             RUN(kernels_of_libraries_are_nodes),
                                             RUN(copies_are_nodes),
                                             RUN(memsets_and_functions_are_nodes),
                                             RUN(nodes_of_any_type_are_added),
                                             RUN(conditions_need_handles),
                                             {NULL, NULL}};
