/**
 * @file graph_memory.cu
 * @brief Memory that graphs take and free, on two devices: whose it is, who reaches it, who counts it.
 */
#include "peers.h"

#include <cstring>

static const size_t BYTES = N * sizeof(int);

static cudaMemAccessDesc access_of(int device, cudaMemAccessFlags flags)
{
    cudaMemAccessDesc it;
    std::memset(&it, 0, sizeof it);
    it.location.type = cudaMemLocationTypeDevice;
    it.location.id = device;
    it.flags = flags;
    return it;
}

static cudaMemAllocNodeParams memory_on(int device, const cudaMemAccessDesc *access = nullptr,
                                        size_t count = 0)
{
    cudaMemAllocNodeParams it;
    std::memset(&it, 0, sizeof it);
    it.poolProps.allocType = cudaMemAllocationTypePinned;
    it.poolProps.location.type = cudaMemLocationTypeDevice;
    it.poolProps.location.id = device;
    it.bytesize = BYTES;
    it.accessDescs = access;
    it.accessDescCount = count;
    return it;
}

static cudaGraph_t graph_made()
{
    cudaGraph_t graph;
    NEED(cudaGraphCreate(&graph, 0));
    return graph;
}

static cudaGraphNode_t take(cudaGraph_t graph, cudaMemAllocNodeParams *params)
{
    cudaGraphNode_t node;
    NEED(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, params));
    return node;
}

/* All zeros: in the device that is current. */
static cudaGraphNode_t clear(cudaGraph_t graph, void *p, cudaGraphNode_t after)
{
    cudaMemsetParams params;
    cudaGraphNode_t node;
    std::memset(&params, 0, sizeof params);
    params.dst = p;
    params.elementSize = 4;
    params.width = N;
    params.height = 1;
    NEED(cudaGraphAddMemsetNode(&node, graph, &after, 1, &params));
    return node;
}

static cudaGraphNode_t add_on(int device, cudaGraph_t graph, void *p, int value, cudaGraphNode_t after)
{
    cudaKernelNodeParams params;
    cudaGraphNode_t node;
    void *arguments[] = {&p, &value};
    std::memset(&params, 0, sizeof params);
    params.func = (void *)add;
    params.gridDim = dim3(N / 256);
    params.blockDim = dim3(256);
    params.kernelParams = arguments;
    NEED(cudaSetDevice(device));
    NEED(cudaGraphAddKernelNode(&node, graph, &after, 1, &params));
    NEED(cudaSetDevice(0));
    return node;
}

static cudaGraphExec_t launched(const char *name, cudaGraph_t graph, cudaStream_t stream = 0)
{
    cudaGraphExec_t exec = nullptr;
    char text[96];
    std::snprintf(text, sizeof text, "%s: instantiated", name);
    RETURNS(text, cudaGraphInstantiate(&exec, graph, 0));
    std::snprintf(text, sizeof text, "%s: launched", name);
    RETURNS(text, cudaGraphLaunch(exec, stream));
    std::snprintf(text, sizeof text, "%s: synchronised", name);
    RETURNS(text, cudaStreamSynchronize(stream));
    return exec;
}

static void pointer_is(const char *name, const void *p)
{
    cudaPointerAttributes is;
    std::memset(&is, 0, sizeof is);
    const cudaError_t error = cudaPointerGetAttributes(&is, p);
    ANSWER(name, "%s %d %d %d %d", cudaGetErrorName(error), (int)is.type, is.device, is.devicePointer == p,
           is.hostPointer != nullptr);
}

static unsigned long long counted(int device, cudaGraphMemAttributeType what)
{
    unsigned long long value = 0;
    NEED(cudaDeviceGetGraphMemAttribute(device, what, &value));
    return value >> 20;
}

static long sum_on(int device, const void *p)
{
    NEED(cudaSetDevice(device));
    const long all = sum((const int *)p);
    NEED(cudaSetDevice(0));
    return all;
}

/* ---- whose it is ---- */

static void memory_is_the_locations()
{
    cudaGraph_t graph = graph_made();
    cudaMemAllocNodeParams params = memory_on(1), asked;
    const cudaGraphNode_t node = take(graph, &params);
    pointer_is("graph memory on 1: pointer, before", params.dptr);
    NEED(cudaGraphMemAllocNodeGetParams(node, &asked));
    ANSWER("graph memory on 1: location, access asked", "%d %d", asked.poolProps.location.id,
           (int)asked.accessDescCount);
    add_on(1, graph, params.dptr, 3, add_on(1, graph, params.dptr, 0, node));
    launched("graph memory on 1", graph);
    pointer_is("graph memory on 1: pointer, taken", params.dptr);
    ANSWER("graph memory on 1: counted MiB of 0 and 1", "%llu %llu",
           counted(0, cudaGraphMemAttrUsedMemCurrent), counted(1, cudaGraphMemAttrUsedMemCurrent));
    RETURNS("graph memory on 1: freed with 0 current", cudaFree(params.dptr));
}

static void a_memset_node_is_of_the_current_device()
{
    cudaGraph_t graph = graph_made();
    cudaMemAllocNodeParams params = memory_on(1);
    const cudaGraphNode_t node = take(graph, &params);
    cudaMemsetParams set;
    cudaGraphNode_t cleared;
    std::memset(&set, 0, sizeof set);
    set.dst = params.dptr;
    set.elementSize = 4;
    set.width = N;
    set.height = 1;
    RETURNS("graph memory on 1: a memset node, 0 current",
            cudaGraphAddMemsetNode(&cleared, graph, &node, 1, &set));
    void *plain = numbers(1, 0);
    set.dst = plain;
    RETURNS("cudaMalloc on 1: a memset node, 0 current",
            cudaGraphAddMemsetNode(&cleared, graph, &node, 1, &set));
    set.dst = params.dptr;
    NEED(cudaSetDevice(1));
    RETURNS("graph memory on 1: a memset node, 1 current",
            cudaGraphAddMemsetNode(&cleared, graph, &node, 1, &set));
}

static void a_kernel_of_its_device_uses_it()
{
    cudaGraph_t graph = graph_made();
    cudaMemAllocNodeParams params = memory_on(1);
    const cudaGraphNode_t node = take(graph, &params);
    NEED(cudaSetDevice(1));
    const cudaGraphNode_t cleared = clear(graph, params.dptr, node);
    NEED(cudaSetDevice(0));
    add_on(1, graph, params.dptr, 3, cleared);
    launched("graph memory of 1's kernel", graph, stream_of(0));
    ANSWER("graph memory of 1's kernel: sum, 0 current", "%ld", sum((int *)params.dptr));
    ANSWER("graph memory of 1's kernel: sum, 1 current", "%ld", sum_on(1, params.dptr));
    RETURNS("graph memory of 1's kernel: freed in a stream of 0", cudaFreeAsync(params.dptr, stream_of(0)));
    RETURNS("graph memory of 1's kernel: synchronised then", cudaDeviceSynchronize());
}

static void a_copy_needs_a_list()
{
    cudaGraph_t graph = graph_made();
    cudaMemAllocNodeParams of_0 = memory_on(0), of_1 = memory_on(1);
    cudaGraphNode_t both[2] = {take(graph, &of_0), take(graph, &of_1)}, copy;
    RETURNS("graph memory: a copy between, 1's not listed",
            cudaGraphAddMemcpyNode1D(&copy, graph, both, 2, of_1.dptr, of_0.dptr, BYTES, cudaMemcpyDefault));
    NEED(cudaSetDevice(1));
    RETURNS("graph memory: that with 1 current",
            cudaGraphAddMemcpyNode1D(&copy, graph, both, 2, of_1.dptr, of_0.dptr, BYTES, cudaMemcpyDefault));
}

static void a_graph_has_memory_on_both()
{
    cudaGraph_t graph = graph_made();
    const cudaMemAccessDesc access = access_of(0, cudaMemAccessFlagsProtReadWrite);
    cudaMemAllocNodeParams of_0 = memory_on(0), of_1 = memory_on(1, &access, 1);
    cudaGraphNode_t node_0 = take(graph, &of_0), node_1 = take(graph, &of_1), copy, both[2];
    both[0] = add_on(0, graph, of_0.dptr, 5, clear(graph, of_0.dptr, node_0));
    both[1] = node_1;
    RETURNS("graph memory on both: a copy between",
            cudaGraphAddMemcpyNode1D(&copy, graph, both, 2, of_1.dptr, of_0.dptr, BYTES, cudaMemcpyDefault));
    add_on(1, graph, of_1.dptr, 1, copy);
    launched("graph memory on both", graph);
    ANSWER("graph memory on both: sums", "%ld %ld", sum((int *)of_0.dptr), sum((int *)of_1.dptr));
    ANSWER("graph memory on both: used MiB", "%llu %llu", counted(0, cudaGraphMemAttrUsedMemCurrent),
           counted(1, cudaGraphMemAttrUsedMemCurrent));
    RETURNS("graph memory on both: freed", (cudaFree(of_0.dptr), cudaFree(of_1.dptr)));
    ANSWER("graph memory on both: reserved MiB, freed", "%llu %llu",
           counted(0, cudaGraphMemAttrReservedMemCurrent), counted(1, cudaGraphMemAttrReservedMemCurrent));
    RETURNS("graph memory on both: 0 trimmed", cudaDeviceGraphMemTrim(0));
    ANSWER("graph memory on both: reserved MiB, 0 trimmed", "%llu %llu",
           counted(0, cudaGraphMemAttrReservedMemCurrent), counted(1, cudaGraphMemAttrReservedMemCurrent));
    RETURNS("graph memory on both: 1 trimmed", cudaDeviceGraphMemTrim(1));
    ANSWER("graph memory on both: reserved MiB, 1 trimmed", "%llu %llu",
           counted(0, cudaGraphMemAttrReservedMemCurrent), counted(1, cudaGraphMemAttrReservedMemCurrent));
    unsigned long long zero = 0;
    RETURNS("graph memory on both: high water of 1 reset",
            cudaDeviceSetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &zero));
    ANSWER("graph memory on both: high water MiB", "%llu %llu", counted(0, cudaGraphMemAttrUsedMemHigh),
           counted(1, cudaGraphMemAttrUsedMemHigh));
}

/* What the runtime says of a pointer depends on who asks. */
static void what_pointers_are_to_the_current_device()
{
    int *plain = numbers(1, 0), *managed = nullptr;
    void *of_pool = nullptr;
    cudaMemPool_t pool;
    cudaStream_t stream = stream_of(1);
    cudaMemsetParams set;
    cudaGraphNode_t node;
    NEED(cudaDeviceGetDefaultMemPool(&pool, 1));
    NEED(cudaMallocFromPoolAsync(&of_pool, BYTES, pool, stream));
    NEED(cudaStreamSynchronize(stream));
    NEED(cudaMallocManaged(&managed, BYTES));
    std::memset(&set, 0, sizeof set);
    set.dst = of_pool;
    set.elementSize = 4;
    set.width = N;
    set.height = 1;
    RETURNS("pool of 1: a memset node, 0 current",
            cudaGraphAddMemsetNode(&node, graph_made(), nullptr, 0, &set));
    pointer_is("cudaMalloc of 1: pointer, 0 current", plain);
    pointer_is("pool of 1: pointer, 0 current", of_pool);
    pointer_is("managed: pointer, 0 current", managed);
    NEED(cudaDeviceEnablePeerAccess(1, 0));
    pointer_is("cudaMalloc of 1: pointer, 0 current, peers", plain);
    pointer_is("pool of 1: pointer, 0 current, peers", of_pool);
    const cudaMemAccessDesc access = access_of(0, cudaMemAccessFlagsProtReadWrite);
    NEED(cudaMemPoolSetAccess(pool, &access, 1));
    pointer_is("pool of 1: pointer, 0 current, listed", of_pool);
    NEED(cudaSetDevice(1));
    pointer_is("cudaMalloc of 1: pointer, 1 current", plain);
    pointer_is("pool of 1: pointer, 1 current", of_pool);
    pointer_is("managed of 0: pointer, 1 current", managed);
}

static void what_a_graphs_pointer_is()
{
    const cudaMemAccessDesc access = access_of(0, cudaMemAccessFlagsProtReadWrite);
    cudaMemAllocNodeParams params = memory_on(1, &access, 1), own = memory_on(0);
    cudaGraph_t graph = graph_made();
    take(graph, &params);
    take(graph, &own);
    pointer_is("graph memory, listed: pointer, before", params.dptr);
    pointer_is("graph memory of 0: pointer, before", own.dptr);
    launched("graph memory, listed", graph);
    pointer_is("graph memory, listed: pointer, 0 current", params.dptr);
    pointer_is("graph memory of 0: pointer, taken", own.dptr);
    RETURNS("graph memory of 0: freed", cudaFree(own.dptr));
    pointer_is("graph memory of 0: pointer, freed", own.dptr);
    NEED(cudaSetDevice(1));
    pointer_is("graph memory, listed: pointer, 1 current", params.dptr);
}

/* ---- who reaches it ---- */

static void of_0_on(const char *name, const cudaMemAccessDesc *access, size_t count, bool enabled)
{
    cudaGraph_t graph = graph_made();
    cudaMemAllocNodeParams params = memory_on(1, access, count), asked;
    if (enabled)
        NEED(cudaDeviceEnablePeerAccess(1, 0));
    const cudaGraphNode_t node = take(graph, &params);
    char text[96];
    NEED(cudaGraphMemAllocNodeGetParams(node, &asked));
    std::snprintf(text, sizeof text, "%s: access asked", name);
    ANSWER(text, "%d", (int)asked.accessDescCount);
    NEED(cudaSetDevice(1));
    const cudaGraphNode_t cleared = clear(graph, params.dptr, node);
    NEED(cudaSetDevice(0));
    add_on(0, graph, params.dptr, 2, cleared);
    launched(name, graph);
    std::snprintf(text, sizeof text, "%s: sum", name);
    ANSWER(text, "%ld", sum((int *)params.dptr));
}

static void nobody_else_reaches_it()
{
    of_0_on("graph memory of 1, kernel of 0", nullptr, 0, false);
}

static void peer_access_alone()
{
    of_0_on("graph memory of 1, kernel of 0, peers", nullptr, 0, true);
}

static void a_list_gives_access()
{
    const cudaMemAccessDesc access = access_of(0, cudaMemAccessFlagsProtReadWrite);
    of_0_on("graph memory of 1, kernel of 0, listed", &access, 1, false);
}

static void a_list_names_both()
{
    const cudaMemAccessDesc access[] = {access_of(0, cudaMemAccessFlagsProtReadWrite),
                                        access_of(1, cudaMemAccessFlagsProtReadWrite)};
    of_0_on("graph memory of 1, kernel of 0, both listed", access, 2, false);
}

static void mistakes_are_told()
{
    cudaGraph_t graph = graph_made();
    cudaGraphNode_t node;
    cudaMemAllocNodeParams params = memory_on(5);
    RETURNS("graph memory: on 5", cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    cudaMemAccessDesc access = access_of(5, cudaMemAccessFlagsProtReadWrite);
    params = memory_on(1, &access, 1);
    RETURNS("graph memory: 5 listed", cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    access = access_of(0, cudaMemAccessFlagsProtRead);
    params = memory_on(1, &access, 1);
    RETURNS("graph memory: to read only", cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    access = access_of(0, cudaMemAccessFlagsProtNone);
    params = memory_on(1, &access, 1);
    RETURNS("graph memory: 0 listed for nothing",
            cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    access = access_of(1, cudaMemAccessFlagsProtNone);
    params = memory_on(1, &access, 1);
    RETURNS("graph memory: the owner for nothing",
            cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    access = access_of(1, cudaMemAccessFlagsProtReadWrite);
    params = memory_on(1, &access, 1);
    RETURNS("graph memory: the owner listed", cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    RETURNS("graph memory: attribute of 5", cudaDeviceGraphMemTrim(5));
}

/* ---- copies ---- */

static void calls_copy_it()
{
    cudaGraph_t graph = graph_made();
    cudaMemAllocNodeParams params = memory_on(1);
    const cudaGraphNode_t node = take(graph, &params);
    NEED(cudaSetDevice(1));
    clear(graph, params.dptr, node);
    NEED(cudaSetDevice(0));
    launched("graph memory copied", graph);
    int *of_0 = numbers(0, 4), *p = (int *)params.dptr;
    RETURNS("graph memory copied: from 0 by cudaMemcpy", cudaMemcpy(p, of_0, BYTES, cudaMemcpyDefault));
    ANSWER("graph memory copied: sum, 0 current", "%ld", sum(p));
    RETURNS("graph memory copied: to 0 by cudaMemcpy", cudaMemcpy(of_0, p, BYTES, cudaMemcpyDefault));
    RETURNS("graph memory copied: by cudaMemcpyPeer", cudaMemcpyPeer(p, 1, of_0, 0, BYTES));
    ANSWER("graph memory copied: sum, 1 current", "%ld", sum_on(1, p));
    RETURNS("graph memory copied: memset with 0 current", cudaMemset(p, 0, 64));
    NEED(cudaSetDevice(1));
    RETURNS("graph memory copied: memset with 1 current", cudaMemset(p, 0, BYTES));
    ANSWER("graph memory copied: sum at last", "%ld", sum(p));
    RETURNS("graph memory copied: freed in 1's stream", cudaFreeAsync(p, 0));
}

/* ---- captured ---- */

static void captured_memory_is_the_streams_devices()
{
    cudaStream_t stream = stream_of(1);
    cudaGraph_t graph;
    cudaGraphNode_t nodes[8];
    cudaMemAllocNodeParams asked;
    void *p = nullptr;
    size_t count = 8;
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    RETURNS("captured memory: taken in a stream of 1", cudaMallocAsync(&p, BYTES, stream));
    NEED(launch_add((int *)p, 0, stream));
    NEED(cudaStreamEndCapture(stream, &graph));
    NEED(cudaGraphGetNodes(graph, nodes, &count));
    ANSWER("captured memory: nodes", "%d", (int)count);
    NEED(cudaGraphMemAllocNodeGetParams(nodes[0], &asked));
    ANSWER("captured memory: location, access asked", "%d %d", asked.poolProps.location.id,
           (int)asked.accessDescCount);
    pointer_is("captured memory: pointer", p);
    launched("captured memory", graph, stream);
    RETURNS("captured memory: freed", cudaFreeAsync(p, stream));
    RETURNS("captured memory: synchronised then", cudaStreamSynchronize(stream));
}

static void captured_memory_has_the_pools_list()
{
    cudaStream_t stream = stream_of(1);
    cudaMemPool_t pool;
    cudaGraph_t graph;
    cudaGraphNode_t nodes[8];
    cudaMemAllocNodeParams asked;
    void *p = nullptr;
    size_t count = 8;
    const cudaMemAccessDesc access = access_of(0, cudaMemAccessFlagsProtReadWrite);
    NEED(cudaDeviceGetDefaultMemPool(&pool, 1));
    NEED(cudaMemPoolSetAccess(pool, &access, 1));
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    NEED(cudaMallocAsync(&p, BYTES, stream));
    NEED(cudaMemsetAsync(p, 0, BYTES, stream));
    NEED(cudaStreamEndCapture(stream, &graph));
    NEED(cudaGraphGetNodes(graph, nodes, &count));
    NEED(cudaGraphMemAllocNodeGetParams(nodes[0], &asked));
    ANSWER("captured memory of a shared pool: location, access asked", "%d %d", asked.poolProps.location.id,
           (int)asked.accessDescCount);
    launched("captured memory of a shared pool", graph, stream);
    RETURNS("captured memory of a shared pool: a kernel of 0",
            (launch_add((int *)p, 2), cudaDeviceSynchronize()));
    ANSWER("captured memory of a shared pool: sum", "%ld", sum((int *)p));
}

static void captured_memory_of_another_devices_pool()
{
    cudaStream_t stream = stream_of(0);
    cudaMemPool_t pool;
    cudaGraph_t graph;
    void *p = nullptr;
    NEED(cudaDeviceGetDefaultMemPool(&pool, 1));
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    RETURNS("captured memory: from 1's pool in a stream of 0",
            cudaMallocFromPoolAsync(&p, BYTES, pool, stream));
    NEED(cudaStreamEndCapture(stream, &graph));
    pointer_is("captured memory: from 1's pool, pointer", p);
}

extern const behaviour graph_memory_behaviours[] = {
    {"graph memory is the location's", memory_is_the_locations},
    {"graph memory: a memset node is of the current device", a_memset_node_is_of_the_current_device},
    {"graph memory: a kernel of its device uses it", a_kernel_of_its_device_uses_it},
    {"graph memory: a copy needs a list", a_copy_needs_a_list},
    {"graph memory: a graph has memory on both", a_graph_has_memory_on_both},
    {"graph memory: what pointers are to the current device", what_pointers_are_to_the_current_device},
    {"graph memory: what a graph's pointer is", what_a_graphs_pointer_is},
    {"graph memory: nobody else reaches it", nobody_else_reaches_it},
    {"graph memory: peer access alone", peer_access_alone},
    {"graph memory: a list gives access", a_list_gives_access},
    {"graph memory: a list names both", a_list_names_both},
    {"graph memory: mistakes are told", mistakes_are_told},
    {"graph memory: calls copy it", calls_copy_it},
    {"captured memory is the stream's device's", captured_memory_is_the_streams_devices},
    {"captured memory has the pool's list", captured_memory_has_the_pools_list},
    {"captured memory of another device's pool", captured_memory_of_another_devices_pool},
    {nullptr, nullptr}};
