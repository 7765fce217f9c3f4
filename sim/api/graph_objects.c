/**
 * @file graph_objects.c
 * @brief Objects of the program's that graphs keep alive (CUDA Runtime API, Graph Management).
 *
 * The destructor of an object is a host function in a stream of the library's own, behind the launches of the
 * graph that gave the last reference back. So it runs when the queue gets there, without the lock.
 */
#include "graph.h"
#include "graph_objects.h"

#include <stdlib.h>

struct CUuserObject_st {
    struct cudaHostNodeParams destroy;
    size_t references;
    struct CUuserObject_st *next;
};

struct umsim_kept {
    struct CUuserObject_st *object;
    size_t count;
    struct umsim_kept *next;
};

static struct CUuserObject_st *objects;

static bool is_object(const struct CUuserObject_st *object)
{
    for (const struct CUuserObject_st *it = objects; it; it = it->next)
        if (it == object)
            return true;
    return false;
}

/* The stream of the destructors; NULL without memory. */
static struct umsim_stream *stream_of_destructors(void)
{
    static struct umsim_stream *stream;
    if (stream)
        return stream;
    stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->flags = cudaStreamNonBlocking;
    umsim_stream_add(stream);
    return stream;
}

static cudaError_t give_back(struct CUuserObject_st *object, size_t count, struct umsim_op *after)
{
    if (count > object->references)
        return cudaErrorInvalidValue;
    object->references -= count;
    if (object->references)
        return cudaSuccess;
    struct CUuserObject_st **link = &objects;
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
    struct umsim_stream *stream = stream_of_destructors();
    struct umsim_op *op = stream && after ? umsim_op_make(sizeof *op, "graph node") : NULL;
    if (op)
        umsim_op_issue_after(op, stream, after);
    const bool good = stream && (op || !after);
    const cudaError_t error = good ? umsim_issue_host(&object->destroy, stream) : cudaErrorMemoryAllocation;
    free(object);
    return error;
}

bool umsim_objects_keep(struct umsim_kept **list, struct CUuserObject_st *object, size_t count)
{
    struct umsim_kept *it = *list;
    while (it && it->object != object)
        it = it->next;
    if (!it) {
        it = calloc(1, sizeof *it);
        if (!it)
            return false;
        it->object = object;
        it->next = *list;
        *list = it;
    }
    it->count += count;
    return true;
}

bool umsim_objects_copy(struct umsim_kept **list, const struct umsim_kept *from)
{
    for (; from; from = from->next) {
        if (!umsim_objects_keep(list, from->object, 1))
            return false;
        from->object->references++;
    }
    return true;
}

void umsim_objects_drop(struct umsim_kept *list, struct umsim_op *after)
{
    for (struct umsim_kept *next; list; list = next) {
        next = list->next;
        give_back(list->object, list->count, after);
        free(list);
    }
}

/* ---- the API ---- */

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags)
{
    UMSIM_ENTER(cudaUserObjectCreate, object_out, initialRefcount, flags);
    if (!object_out || !destroy || !initialRefcount || flags != cudaUserObjectNoDestructorSync)
        return umsim_leave(cudaErrorInvalidValue);
    struct CUuserObject_st *object = calloc(1, sizeof *object);
    if (!object)
        return umsim_leave(cudaErrorMemoryAllocation);
    *object = (struct CUuserObject_st){{destroy, ptr}, initialRefcount, objects};
    objects = object;
    *object_out = object;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    UMSIM_ENTER(cudaUserObjectRetain, object, count);
    if (!is_object(object) || !count)
        return umsim_leave(cudaErrorInvalidValue);
    object->references += count;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    UMSIM_ENTER(cudaUserObjectRelease, object, count);
    return umsim_leave(is_object(object) && count ? give_back(object, count, NULL) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags)
{
    UMSIM_ENTER(cudaGraphRetainUserObject, handle, object, count, flags);
    struct umsim_graph *graph = umsim_graph_of(handle);
    const bool moves = flags == cudaGraphUserObjectMove;
    if (!graph || !is_object(object) || !count || (flags && !moves) || (moves && count > object->references))
        return umsim_leave(cudaErrorInvalidValue);
    if (!umsim_objects_keep(&graph->kept, object, count))
        return umsim_leave(cudaErrorMemoryAllocation);
    if (!moves)
        object->references += count;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned int count)
{
    UMSIM_ENTER(cudaGraphReleaseUserObject, handle, object, count);
    struct umsim_graph *graph = umsim_graph_of(handle);
    struct umsim_kept **link = graph ? &graph->kept : NULL;
    while (link && *link && (*link)->object != object)
        link = &(*link)->next;
    if (!link || !*link || !count)
        return umsim_leave(cudaErrorInvalidValue);
    if (count > (*link)->count) /* an H200 lets that pass: it gives back what the graph has */
        count = (*link)->count;
    (*link)->count -= count;
    if (!(*link)->count) {
        struct umsim_kept *gone = *link;
        *link = gone->next;
        free(gone);
    }
    return umsim_leave(give_back(object, count, NULL));
}
