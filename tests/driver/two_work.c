/**
 * @file two_work.c
 * @brief Two devices: peer access of contexts, streams, events, modules and launches of both.
 */
#include "behaviour.h"

#include <stdint.h>
#include <string.h>

enum { WORDS = 256, BYTES = 4 * WORDS };

static CUcontext own[2];
static CUstream stream[2];

static void with(int device)
{
    NEED(cuCtxSetCurrent(own[device]));
}

static void in_two_contexts(void)
{
    NEED(cuInit(0));
    for (int device = 1; device >= 0; device--) {
        NEED(cuCtxCreate(&own[device], NULL, 0, device));
        NEED(cuStreamCreate(&stream[device], CU_STREAM_NON_BLOCKING));
    }
}

static CUdeviceptr zeros_of(int device)
{
    with(device);
    const CUdeviceptr p = zeros(BYTES);
    NEED(cuCtxSynchronize());
    with(0);
    return p;
}

static int word(CUdeviceptr p)
{
    int it = -1;
    return cuMemcpyDtoH(&it, p, sizeof it) == CUDA_SUCCESS ? it : -1;
}

static CUfunction kernel_of(int device, const char *name)
{
    with(device);
    const CUfunction it = kernel(name);
    with(0);
    return it;
}

static CUresult launch(CUfunction function, CUdeviceptr p, CUstream in)
{
    void *arguments[] = {&p};
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, in, arguments, NULL);
}

/* ---- peer access ---- */

static void peer_access_is_a_contexts(void)
{
    CUcontext other = NULL;
    in_two_contexts();
    RETURNS("two: peer access to 1's", cuCtxEnablePeerAccess(own[1], 0));
    RETURNS("two: peer access twice", cuCtxEnablePeerAccess(own[1], 0));
    RETURNS("two: peer access to itself", cuCtxEnablePeerAccess(own[0], 0));
    RETURNS("two: peer access, flags 1", cuCtxEnablePeerAccess(own[1], 1));
    RETURNS("two: peer access to none", cuCtxEnablePeerAccess(NULL, 0));
    NEED(cuCtxCreate(&other, NULL, 0, 0));
    RETURNS("two: peer access to the device's other context", cuCtxEnablePeerAccess(own[0], 0));
    RETURNS("two: no peer access of the other context, ended", cuCtxDisablePeerAccess(own[1]));
    RETURNS("two: peer access of the other context to 1's", cuCtxEnablePeerAccess(own[1], 0));
    with(0);
    RETURNS("two: peer access ends", cuCtxDisablePeerAccess(own[1]));
    RETURNS("two: peer access ends twice", cuCtxDisablePeerAccess(own[1]));
    RETURNS("two: peer access ends of none", cuCtxDisablePeerAccess(NULL));
    with(1);
    RETURNS("two: peer access back", cuCtxEnablePeerAccess(own[0], 0));
}

static void a_kernel_needs_peer_access(void)
{
    in_two_contexts();
    const CUdeviceptr p = zeros_of(1);
    const CUfunction follow = kernel_of(0, "follow");
    NEED(cuCtxEnablePeerAccess(own[1], 0));
    RETURNS("two: a kernel on the peer's memory", launch(follow, p, 0));
    RETURNS("two: a kernel on the peer's memory ends", cuCtxSynchronize());
    answer("two: a kernel on the peer's memory wrote", "%d", word(p));
    NEED(cuCtxDisablePeerAccess(own[1]));
    RETURNS("two: a kernel without access", launch(follow, p, 0));
    RETURNS("two: a kernel without access ends", cuCtxSynchronize());
    with(1);
    RETURNS("two: 1's context after 0's fault", cuCtxSynchronize());
    RETURNS("two: 1's memory after 0's fault", cuMemsetD8(p, 0, BYTES));
}

static void access_to_one_context_is_not_access_to_another(void)
{
    CUcontext other = NULL;
    CUdeviceptr p = 0;
    in_two_contexts();
    NEED(cuCtxCreate(&other, NULL, 0, 1));
    p = zeros(BYTES);
    with(0);
    const CUfunction follow = kernel_of(0, "follow");
    NEED(cuCtxEnablePeerAccess(own[1], 0));
    RETURNS("two: a kernel on another context's memory", launch(follow, p, 0));
    RETURNS("two: a kernel on another context's memory ends", cuCtxSynchronize());
}

/* ---- streams and events ---- */

static void streams_belong_to_a_context(void)
{
    CUcontext context = NULL;
    CUdevice device = -1;
    in_two_contexts();
    const CUdeviceptr p = zeros_of(0), q = zeros_of(1);
    NEED(cuStreamGetCtx(stream[1], &context));
    answer("two: 1's stream: its context", "%d", context == own[1]);
    NEED(cuStreamGetCtx(0, &context));
    answer("two: stream 0: its context", "%d", context == own[0]);
    NEED(cuStreamGetDevice(stream[1], &device));
    answer("two: 1's stream: its device", "%d", device);
    RETURNS("two: a fill of 0's in 1's stream", cuMemsetD8Async(p, 1, BYTES, stream[1]));
    RETURNS("two: a fill of 1's in 1's stream, 0 current", cuMemsetD8Async(q, 1, BYTES, stream[1]));
    RETURNS("two: a copy in 1's stream, 0 current", cuMemcpyDtoDAsync(q, p, BYTES, stream[1]));
    RETURNS("two: 1's stream synchronised, 0 current", cuStreamSynchronize(stream[1]));
    RETURNS("two: 1's stream asked, 0 current", cuStreamQuery(stream[1]));
    answer("two: filled in 1's stream", "%x %x", word(p), word(q));
    RETURNS("two: 1's stream destroyed, 0 current", cuStreamDestroy(stream[1]));
}

static void events_belong_to_a_context(void)
{
    CUevent of_0, of_1;
    float ms = -1;
    in_two_contexts();
    NEED(cuEventCreate(&of_0, 0));
    with(1);
    NEED(cuEventCreate(&of_1, 0));
    with(0);
    RETURNS("two: 0's event in 1's stream", cuEventRecord(of_0, stream[1]));
    RETURNS("two: 1's event in 1's stream, 0 current", cuEventRecord(of_1, stream[1]));
    RETURNS("two: 1's event in stream 0, 0 current", cuEventRecord(of_1, 0));
    RETURNS("two: 0's event", cuEventRecord(of_0, stream[0]));
    RETURNS("two: 0's stream waits for 1's event", cuStreamWaitEvent(stream[0], of_1, 0));
    RETURNS("two: 1's stream waits for 0's event", cuStreamWaitEvent(stream[1], of_0, 0));
    RETURNS("two: 1's event synchronised, 0 current", cuEventSynchronize(of_1));
    RETURNS("two: 1's event asked, 0 current", cuEventQuery(of_1));
    NEED(cuEventSynchronize(of_0));
    RETURNS("two: the time between", cuEventElapsedTime(&ms, of_0, of_1));
    RETURNS("two: 1's event destroyed, 0 current", cuEventDestroy(of_1));
}

static void waiting_is_for_one_context(void)
{
    in_two_contexts();
    RETURNS("two: cuCtxSynchronize_v2 of 1's", cuCtxSynchronize_v2(own[1]));
    NEED(cuCtxSetCurrent(NULL));
    RETURNS("two: cuCtxSynchronize_v2 of 1's, none current", cuCtxSynchronize_v2(own[1]));
    RETURNS("two: cuCtxSynchronize_v2 of none", cuCtxSynchronize_v2(NULL));
}

/* ---- modules ---- */

static void a_module_is_a_contexts(void)
{
    CUmodule module[2], in = NULL;
    CUfunction count = NULL;
    CUdeviceptr counter[2];
    size_t bytes = 0;
    int by = 10, value = 0;
    void *arguments[] = {&by};
    in_two_contexts();
    for (int device = 1; device >= 0; device--) {
        with(device);
        module[device] = module_of_kernels();
        NEED(cuModuleGetGlobal(&counter[device], &bytes, module[device], "counter"));
    }
    answer("two: a variable of each", "%d, values %d %d", counter[0] != counter[1], word(counter[0]),
           word(counter[1]));
    RETURNS("two: 1's function, 0 current", cuModuleGetFunction(&count, module[1], "count"));
    RETURNS("two: its module", cuFuncGetModule(&in, count));
    answer("two: its module is 1's", "%d", in == module[1]);
    RETURNS("two: 1's function in 1's stream, 0 current",
            cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, stream[1], arguments, NULL));
    RETURNS("two: 1's function in 0's stream",
            cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, stream[0], arguments, NULL));
    RETURNS("two: 1's function in stream 0, 0 current",
            cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, 0, arguments, NULL));
    with(1);
    RETURNS("two: 1's function in 0's stream, 1 current",
            cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, stream[0], arguments, NULL));
    RETURNS("two: 1's function, 1 current",
            cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, stream[1], arguments, NULL));
    NEED(cuStreamSynchronize(stream[1]));
    with(0);
    value = word(counter[1]);
    answer("two: counted by 1's", "%d", value);
    answer("two: 0's counter", "%d", word(counter[0]));
    RETURNS("two: an attribute of 1's function, 0 current",
            cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, count));
    RETURNS("two: 1's module unloaded, 0 current", cuModuleUnload(module[1]));
}

static void a_library_is_for_both(void)
{
    CUlibrary library;
    CUkernel kernel;
    CUfunction of[2];
    CUdeviceptr counter[2], p[2];
    CUmodule module[2];
    size_t bytes;
    int value = -1;
    in_two_contexts();
    NEED(cuLibraryLoadFromFile(&library, kernels_file, NULL, NULL, 0, NULL, NULL, 0));
    NEED(cuLibraryGetKernel(&kernel, library, "follow"));
    for (int device = 1; device >= 0; device--) {
        p[device] = zeros_of(device);
        with(device);
        NEED(cuKernelGetFunction(&of[device], kernel));
        NEED(cuLibraryGetModule(&module[device], library));
        NEED(cuLibraryGetGlobal(&counter[device], &bytes, library, "counter"));
    }
    answer("two: a library's functions, modules, variables differ", "%d %d %d", of[0] != of[1],
           module[0] != module[1], counter[0] != counter[1]);
    RETURNS("two: a library's kernel, 0 current", launch((CUfunction)kernel, p[0], 0));
    with(1);
    RETURNS("two: a library's kernel, 1 current", launch((CUfunction)kernel, p[1], 0));
    NEED(cuCtxSynchronize());
    RETURNS("two: a library's function of 0, 1 current", launch(of[0], p[1], 0));
    with(0);
    RETURNS("two: a library's kernel in 1's stream, 0 current", launch((CUfunction)kernel, p[1], stream[1]));
    NEED(cuCtxSynchronize());
    answer("two: a library's kernel wrote", "%d %d", word(p[0]), word(p[1]));
    RETURNS("two: a kernel's attribute for 1",
            cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 1));
    RETURNS("two: a kernel's attribute for 2",
            cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 2));
    RETURNS("two: a library unloaded", cuLibraryUnload(library));
}

/* ---- graphs ---- */

static void a_graph_has_nodes_of_both(void)
{
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode first, second;
    in_two_contexts();
    CUdeviceptr p[2] = {zeros_of(0), zeros_of(1)};
    CUfunction of[2] = {kernel_of(0, "follow"), kernel_of(1, "follow")};
    void *arguments[2][1] = {{&p[0]}, {&p[1]}};
    CUDA_KERNEL_NODE_PARAMS params = {
        .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    NEED(cuGraphCreate(&graph, 0));
    params.func = of[0];
    params.ctx = own[0];
    params.kernelParams = arguments[0];
    RETURNS("two: a node of 0's", cuGraphAddKernelNode(&first, graph, NULL, 0, &params));
    params.func = of[1];
    params.ctx = own[1];
    params.kernelParams = arguments[1];
    RETURNS("two: a node of 1's", cuGraphAddKernelNode(&second, graph, &first, 1, &params));
    params.ctx = own[0];
    RETURNS("two: a node of 1's in 0's context", cuGraphAddKernelNode(&second, graph, NULL, 0, &params));
    RETURNS("two: instantiated", cuGraphInstantiate(&exec, graph, 0));
    RETURNS("two: launched in 0's stream", cuGraphLaunch(exec, stream[0]));
    RETURNS("two: its end", cuStreamSynchronize(stream[0]));
    answer("two: it wrote", "%d %d", word(p[0]), word(p[1]));
    RETURNS("two: launched in 1's stream", cuGraphLaunch(exec, stream[1]));
    RETURNS("two: its end in 1's stream", cuStreamSynchronize(stream[1]));
}

/* ---- other processes' memory ---- */

static void what_other_processes_may_open(void)
{
    CUipcMemHandle memory, again;
    CUipcEventHandle of_event;
    CUevent event;
    CUdeviceptr p, q = 0;
    CUevent other = NULL;
    in_two_contexts();
    p = zeros_of(1);
    memset(&memory, 0, sizeof memory);
    RETURNS("two: cuIpcOpenMemHandle of zeros",
            cuIpcOpenMemHandle(&q, memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    RETURNS("two: cuIpcGetMemHandle", cuIpcGetMemHandle(&memory, p));
    RETURNS("two: cuIpcGetMemHandle of NULL", cuIpcGetMemHandle(&again, 0));
    RETURNS("two: cuIpcOpenMemHandle in its own process",
            cuIpcOpenMemHandle(&q, memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    RETURNS("two: cuIpcOpenMemHandle, flags 0", cuIpcOpenMemHandle(&q, memory, 0));
    RETURNS("two: cuIpcCloseMemHandle of its own", cuIpcCloseMemHandle(p));
    NEED(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    RETURNS("two: cuIpcGetEventHandle", cuIpcGetEventHandle(&of_event, event));
    RETURNS("two: cuIpcOpenEventHandle in its own process", cuIpcOpenEventHandle(&other, of_event));
    RETURNS("two: cuEventCreate: interprocess, with times", cuEventCreate(&event, CU_EVENT_INTERPROCESS));
}

const struct behaviour two_work_behaviours[] = {
    {"two_peer_access_is_a_contexts", peer_access_is_a_contexts},
    {"two_a_kernel_needs_peer_access", a_kernel_needs_peer_access},
    {"two_access_to_one_context_is_not_access_to_another", access_to_one_context_is_not_access_to_another},
    {"two_streams_belong_to_a_context", streams_belong_to_a_context},
    {"two_events_belong_to_a_context", events_belong_to_a_context},
    {"two_waiting_is_for_one_context", waiting_is_for_one_context},
    {"two_a_module_is_a_contexts", a_module_is_a_contexts},
    {"two_a_library_is_for_both", a_library_is_for_both},
    {"two_a_graph_has_nodes_of_both", a_graph_has_nodes_of_both},
    {"two_what_other_processes_may_open", what_other_processes_may_open},
    {NULL, NULL},
};
