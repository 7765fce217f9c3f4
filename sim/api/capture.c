/**
 * @file capture.c
 * @brief Captures streams into graphs (CUDA Runtime API, Stream Management).
 *
 * The rules are in the chapter on graphs of CUDA's Programming Guide. A mistake invalidates the capture:
 * until the capture is ended, every further use of it reports the error.
 */
#include "graph.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct umsim_capture {
    uint64_t id;
    struct umsim_graph *graph;
    struct umsim_stream *origin;
    enum cudaStreamCaptureMode mode;
    pthread_t owner;
    bool spoilt;
    bool has_lost; /* a stream whose work nobody has joined: it was destroyed */
    bool borrows;  /* the graph existed before */
    struct umsim_capture *next;
};

unsigned umsim_captures;
static struct umsim_capture *captures;
static __thread enum cudaStreamCaptureMode thread_mode __attribute__((tls_model("initial-exec")));

/* ---- what is not allowed during a capture ---- */

static void spoil(struct umsim_stream *stream)
{
    if (stream->capture)
        stream->capture->spoilt = true;
}

/* Work of the legacy stream would come between a captured stream and the others.
 * @return whether a stream that synchronises with the legacy stream is being captured */
static bool legacy_is_involved(const struct umsim_stream *legacy, bool and_spoils)
{
    bool found = false;
    for (struct umsim_stream *stream = umsim_streams(); stream; stream = stream->next) {
        if (!stream->capture || !stream->waits_for_legacy || stream->device != legacy->device)
            continue;
        if (and_spoils)
            spoil(stream);
        found = true;
    }
    return found;
}

cudaError_t umsim_capture_against(struct umsim_stream *stream, bool waits)
{
    if (stream->is_legacy)
        return legacy_is_involved(stream, true) ? cudaErrorStreamCaptureImplicit : cudaSuccess;
    if (!stream->capture)
        return cudaSuccess;
    if (stream->capture->spoilt)
        return cudaErrorStreamCaptureInvalidated;
    if (waits)
        spoil(stream);
    return waits ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

/* Whether this capture forbids the calling thread a call that could change what is captured. */
static bool forbids(const struct umsim_capture *capture)
{
    const bool own = pthread_equal(capture->owner, pthread_self());
    if (capture->mode == cudaStreamCaptureModeRelaxed || thread_mode == cudaStreamCaptureModeRelaxed)
        return false;
    return own ||
           (capture->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal);
}

static bool is_one_of(const char *call, const char *const *calls)
{
    for (; *calls; calls++)
        if (strcmp(call, *calls) == 0)
            return true;
    return false;
}

cudaError_t umsim_capture_forbids(const char *call)
{
    static const char *const of_the_device[] = {"cudaDeviceSynchronize", "cudaDeviceReset", NULL};
    static const char *const unsafe[] = {
        "cudaMalloc",         "cudaMallocPitch", "cudaMalloc3D",         "cudaMallocArray",
        "cudaMalloc3DArray",  "cudaFree",        "cudaFreeArray",        "cudaMallocHost",
        "cudaHostAlloc",      "cudaFreeHost",    "cudaMallocManaged",    "cudaHostRegister",
        "cudaHostUnregister", "cudaEventQuery",  "cudaEventSynchronize", NULL};
    const bool all = is_one_of(call, of_the_device);
    bool found = false;
    if (!all && !is_one_of(call, unsafe))
        return cudaSuccess;
    for (struct umsim_capture *capture = captures; capture; capture = capture->next)
        if (all || forbids(capture))
            found = capture->spoilt = true;
    return found ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

/* ---- work becomes nodes ---- */

static bool set_after(struct umsim_stream *stream, struct umsim_node *const *after, size_t count)
{
    struct umsim_node **mine = malloc((count + 1) * sizeof(struct umsim_node *));
    if (!mine)
        return false;
    if (count)
        memcpy(mine, after, count * sizeof(struct umsim_node *));
    free(stream->capture_after);
    stream->capture_after = mine;
    stream->capture_after_count = count;
    return true;
}

struct umsim_graph *umsim_capture_graph(const struct umsim_stream *stream)
{
    return stream->capture->graph;
}

cudaError_t umsim_capture_add(struct umsim_stream *stream, const struct umsim_work *work)
{
    struct umsim_work on_device = *work;
    on_device.on = stream->device + 1;
    struct umsim_node *node = umsim_node_add(stream->capture->graph, stream->capture_after,
                                             stream->capture_after_count, &on_device);
    umsim_spend(UMSIM_CALL_LOOKUP);
    return node && set_after(stream, &node, 1) ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* ---- events ---- */

void umsim_capture_unmark(struct umsim_mark *mark)
{
    free(mark->after);
    *mark = (struct umsim_mark){0};
}

cudaError_t umsim_capture_mark(struct umsim_stream *stream, struct umsim_mark *mark)
{
    const size_t bytes = stream->capture_after_count * sizeof(struct umsim_node *);
    umsim_capture_unmark(mark);
    mark->after = malloc(bytes + 1);
    if (!mark->after)
        return cudaErrorMemoryAllocation;
    if (bytes)
        memcpy(mark->after, stream->capture_after, bytes);
    mark->after_count = stream->capture_after_count;
    mark->capture = stream->capture->id;
    return cudaSuccess;
}

static struct umsim_capture *capture_of(const struct umsim_mark *mark)
{
    struct umsim_capture *capture = mark->capture ? captures : NULL;
    while (capture && capture->id != mark->capture)
        capture = capture->next;
    return capture;
}

cudaError_t umsim_capture_of_mark(const struct umsim_mark *mark)
{
    struct umsim_capture *capture = capture_of(mark);
    if (capture)
        capture->spoilt = true;
    return mark->capture ? cudaErrorCapturedEvent : cudaSuccess;
}

static bool adds(const struct umsim_stream *stream, const struct umsim_node *node)
{
    for (size_t i = 0; i < stream->capture_after_count; i++)
        if (stream->capture_after[i] == node)
            return false;
    return true;
}

/* Makes the stream's next node depend on the marked nodes as well. */
static cudaError_t join(struct umsim_stream *stream, const struct umsim_mark *mark)
{
    const size_t most = stream->capture_after_count + mark->after_count;
    struct umsim_node **all = malloc((most + 1) * sizeof(struct umsim_node *));
    size_t count = stream->capture_after_count;
    if (!all)
        return cudaErrorMemoryAllocation;
    if (count)
        memcpy(all, stream->capture_after, count * sizeof(struct umsim_node *));
    for (size_t i = 0; i < mark->after_count; i++)
        if (adds(stream, mark->after[i]))
            all[count++] = mark->after[i];
    const bool done = set_after(stream, all, count);
    free(all);
    return done ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t umsim_capture_join(struct umsim_stream *stream, const struct umsim_mark *mark, bool recorded)
{
    struct umsim_capture *capture = capture_of(mark);
    if (mark->capture && !capture)
        return cudaErrorCapturedEvent; /* the event belongs to a capture that has ended */
    if (!capture) {
        if (recorded)
            spoil(stream);
        return recorded ? cudaErrorStreamCaptureIsolation : cudaSuccess;
    }
    if (capture->spoilt)
        return cudaErrorStreamCaptureInvalidated;
    if (stream->is_legacy) {
        capture->spoilt = true;
        return cudaErrorStreamCaptureImplicit;
    }
    if (stream->capture && stream->capture != capture) {
        capture->spoilt = stream->capture->spoilt = true;
        return cudaErrorStreamCaptureMerge;
    }
    stream->capture = capture;
    return join(stream, mark);
}

/* ---- begin and end ---- */

static cudaError_t may_begin(const struct umsim_stream *stream, enum cudaStreamCaptureMode mode)
{
    if (!stream || (unsigned)mode > cudaStreamCaptureModeRelaxed)
        return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    if (stream->is_legacy)
        return cudaErrorStreamCaptureUnsupported;
    return stream->capture ? cudaErrorIllegalState : cudaSuccess;
}

/* Programs may ask for the graph while it is captured, and add nodes to it. */
static cudaError_t begin(struct umsim_stream *stream, struct umsim_graph *graph, bool borrows,
                         enum cudaStreamCaptureMode mode)
{
    static uint64_t made;
    struct umsim_capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return cudaErrorMemoryAllocation;
    *capture =
        (struct umsim_capture){++made, graph, stream, mode, pthread_self(), false, false, borrows, captures};
    captures = capture;
    umsim_captures++;
    stream->capture = capture;
    graph->captured = true;
    if (!graph->listed) {
        umsim_graph_list(graph);
        graph->owned = true;
    }
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    UMSIM_ENTER(cudaStreamBeginCapture, handle, mode);
    struct umsim_stream *stream = umsim_stream_of(handle);
    cudaError_t error = may_begin(stream, mode);
    if (error)
        return umsim_leave(error);
    struct umsim_graph *graph = umsim_graph_make();
    error = graph ? begin(stream, graph, false, mode) : cudaErrorMemoryAllocation;
    if (error)
        umsim_graph_free(graph);
    return umsim_leave(error);
}

static cudaError_t are_of(const struct umsim_graph *graph, const cudaGraphNode_t *nodes,
                          const cudaGraphEdgeData *data, size_t count)
{
    if (count && !nodes)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        const struct umsim_node *node = umsim_node_of(nodes[i]);
        if (!node || node->graph != graph)
            return cudaErrorInvalidValue;
    }
    return umsim_edges_are_plain(data, count) ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                          enum cudaStreamCaptureMode mode)
{
    UMSIM_ENTER(cudaStreamBeginCaptureToGraph, handle, graph, numDependencies, mode);
    struct umsim_stream *stream = umsim_stream_of(handle);
    struct umsim_graph *it = umsim_graph_of(graph);
    cudaError_t error = may_begin(stream, mode);
    if (!error && (!it || it->captured))
        error = cudaErrorInvalidValue;
    error = error ? error : are_of(it, dependencies, dependencyData, numDependencies);
    error = error ? error : begin(stream, it, true, mode);
    if (!error && !set_after(stream, (struct umsim_node *const *)dependencies, numDependencies))
        error = cudaErrorMemoryAllocation;
    return umsim_leave(error);
}

/* Whether the next node of a stream of the same capture depends on the last work of this captured stream. */
static bool has_joined(const struct umsim_stream *stream, const struct umsim_stream *other)
{
    const size_t count = umsim_graph_count(stream->capture->graph);
    bool *seen = malloc(count + 1), joined = seen;
    for (size_t i = 0; joined && i < stream->capture_after_count; i++) {
        memset(seen, 0, count);
        joined = umsim_node_is_behind(other->capture_after, other->capture_after_count,
                                      stream->capture_after[i], seen);
    }
    free(seen);
    return joined;
}

static bool has_joined_another(const struct umsim_stream *stream)
{
    for (const struct umsim_stream *other = umsim_streams(); other; other = other->next)
        if (other != stream && other->capture == stream->capture && has_joined(stream, other))
            return true;
    return false;
}

static bool all_have_joined(const struct umsim_capture *capture)
{
    for (const struct umsim_stream *stream = umsim_streams(); stream; stream = stream->next)
        if (stream->capture == capture && !has_joined(stream, capture->origin))
            return false;
    return true;
}

static void leave(struct umsim_stream *stream)
{
    stream->capture = NULL;
    free(stream->capture_after);
    stream->capture_after = NULL;
    stream->capture_after_count = 0;
}

void umsim_capture_leave(struct umsim_stream *stream)
{
    struct umsim_capture *capture = stream->capture;
    if (!capture || capture->spoilt || capture->origin == stream)
        return;
    capture->has_lost |= !has_joined_another(stream);
    leave(stream);
}

static void let_go(struct umsim_capture *capture)
{
    for (struct umsim_stream *stream = umsim_streams(); stream; stream = stream->next)
        if (stream->capture == capture)
            leave(stream);
    struct umsim_capture **link = &captures;
    while (*link != capture)
        link = &(*link)->next;
    *link = capture->next;
    umsim_captures--;
    capture->graph->captured = false;
    free(capture);
}

static cudaError_t end(struct umsim_stream *stream, cudaGraph_t *out)
{
    struct umsim_capture *capture = stream->capture;
    *out = NULL;
    if (!capture)
        return cudaErrorIllegalState;
    if (capture->origin != stream) {
        capture->spoilt = true;
        return cudaErrorStreamCaptureUnmatched;
    }
    if (capture->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(capture->owner, pthread_self()))
        return cudaErrorStreamCaptureWrongThread;
    cudaError_t error = cudaSuccess;
    if (capture->spoilt)
        error = cudaErrorStreamCaptureInvalidated;
    else if (capture->has_lost || !all_have_joined(capture))
        error = cudaErrorStreamCaptureUnjoined;
    struct umsim_graph *graph = capture->graph;
    const bool borrowed = capture->borrows;
    let_go(capture);
    if (!borrowed)
        graph->owned = false;
    if (error && !borrowed)
        umsim_graph_free(graph);
    *out = error ? NULL : (cudaGraph_t)graph;
    return error;
}

void umsim_captures_abandon(void)
{
    while (captures) {
        struct umsim_graph *graph = captures->borrows ? NULL : captures->graph;
        let_go(captures);
        umsim_graph_free(graph);
    }
    thread_mode = cudaStreamCaptureModeGlobal;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *pGraph)
{
    UMSIM_ENTER(cudaStreamEndCapture, handle, pGraph);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream || !pGraph)
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    return umsim_leave(end(stream, pGraph));
}

static enum cudaStreamCaptureStatus status_of(const struct umsim_stream *stream)
{
    return !stream->capture          ? cudaStreamCaptureStatusNone
           : stream->capture->spoilt ? cudaStreamCaptureStatusInvalidated
                                     : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *pCaptureStatus)
{
    UMSIM_ENTER(cudaStreamIsCapturing, handle, pCaptureStatus);
    const struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream || !pCaptureStatus)
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (stream->is_legacy && legacy_is_involved(stream, false))
        return umsim_leave(cudaErrorStreamCaptureImplicit);
    *pCaptureStatus = status_of(stream);
    return umsim_leave(cudaSuccess);
}

/* Data of as many plain edges. @return NULL without memory */
static const cudaGraphEdgeData *plain_edges(size_t count)
{
    static cudaGraphEdgeData *edges;
    static size_t made;
    if (edges && count <= made)
        return edges;
    free(edges);
    made = count + 64;
    return edges = calloc(made, sizeof *edges);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, enum cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out, cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out,
                                     const cudaGraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
    UMSIM_ENTER(cudaStreamGetCaptureInfo, handle, captureStatus_out);
    const struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream || !captureStatus_out)
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (stream->is_legacy && legacy_is_involved(stream, false))
        return umsim_leave(cudaErrorStreamCaptureImplicit);
    *captureStatus_out = status_of(stream);
    if (*captureStatus_out != cudaStreamCaptureStatusActive)
        return umsim_leave(cudaSuccess);
    if (id_out)
        *id_out = stream->capture->id;
    if (graph_out)
        *graph_out = (cudaGraph_t)stream->capture->graph;
    if (dependencies_out)
        *dependencies_out = (const cudaGraphNode_t *)stream->capture_after;
    if (edgeData_out)
        *edgeData_out = plain_edges(stream->capture_after_count);
    if (numDependencies_out)
        *numDependencies_out = stream->capture_after_count;
    return umsim_leave(edgeData_out && !*edgeData_out ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *dependencyData,
                                                size_t numDependencies, unsigned int flags)
{
    UMSIM_ENTER(cudaStreamUpdateCaptureDependencies, handle, numDependencies, flags);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream || flags > cudaStreamSetCaptureDependencies)
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (!stream->capture || stream->capture->spoilt)
        return umsim_leave(stream->capture ? cudaErrorStreamCaptureInvalidated : cudaErrorIllegalState);
    cudaError_t error = are_of(stream->capture->graph, dependencies, dependencyData, numDependencies);
    if (error)
        return umsim_leave(error);
    const struct umsim_mark more = {0, (struct umsim_node **)dependencies, numDependencies};
    if (flags == cudaStreamAddCaptureDependencies)
        return umsim_leave(join(stream, &more));
    const bool done = set_after(stream, more.after, more.after_count);
    return umsim_leave(done ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    UMSIM_ENTER(cudaThreadExchangeStreamCaptureMode, mode);
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return umsim_leave(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return umsim_leave(cudaSuccess);
}
