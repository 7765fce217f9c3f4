/**
 * @file graph_kernel.c
 * @brief What a graph's kernel node launches: cudaGraphKernelNodeGetParams() (CUDA Runtime API, Graph
 * Management).
 *
 * A node holds a closure, in which a kernel's arguments lie where g++ has put them. To find them, the
 * kernel's stub is called with other arguments: what changes in the closure when an argument does, is its
 * place. What never changes is not there, because the kernel does not use it; it is told as zeros.
 */
#include "graph.h"
#include "occupancy.h"
#include "../space/modules.h"

#include <stdlib.h>
#include <string.h>

struct probe {
    char zeros[UMSIM_CLOSURE_MAX], ones[UMSIM_CLOSURE_MAX];
    _Alignas(64) char before[UMSIM_CLOSURE_MAX];
    _Alignas(64) char after[UMSIM_CLOSURE_MAX];
    void *arguments[UMSIM_CLOSURE_MAX];
};

/* Which stub launches a kernel. Callers hold the lock. */
static struct {
    const struct umsim_kernel *wanted;
    const void *found;
} search;

static void compare(const void *stub)
{
    if (!search.found && umsim_kernel_record(stub, NULL) == search.wanted)
        search.found = stub;
}

static const void *stub_of(const struct umsim_work *work)
{
    if (work->stub)
        return work->stub;
    search.wanted = work->launch.kernel;
    search.found = NULL;
    umsim_kernels_each(compare);
    return search.found;
}

/* @return where an argument lies in the closure; SIZE_MAX: nowhere */
static size_t place_of(struct probe *probe, const void *stub, unsigned index, size_t bytes)
{
    size_t closure_bytes = 0;
    probe->arguments[index] = probe->ones;
    umsim_kernel_probe(stub, probe->arguments, probe->after, &closure_bytes);
    probe->arguments[index] = probe->zeros;
    for (size_t i = 0; i + bytes <= closure_bytes; i++)
        if (probe->before[i] != probe->after[i])
            return i;
    return SIZE_MAX;
}

static struct probe *begin_probe(const void *stub)
{
    struct probe *probe = aligned_alloc(64, (sizeof *probe + 63) / 64 * 64);
    if (!probe)
        return NULL;
    memset(probe, 0, sizeof *probe);
    memset(probe->ones, 0xff, sizeof probe->ones);
    for (size_t i = 0; i < UMSIM_CLOSURE_MAX; i++)
        probe->arguments[i] = probe->zeros;
    umsim_kernel_probe(stub, probe->arguments, probe->before, NULL);
    return probe;
}

/* An array of pointers, and behind it the arguments that they lead to. @return NULL without memory */
static void **arguments_of(const struct umsim_work *work, const void *stub,
                           const struct umsim_parameter *list, unsigned count)
{
    struct probe *probe = begin_probe(stub);
    size_t bytes = (count + 1) * sizeof(void *);
    for (unsigned i = 0; i < count; i++)
        bytes += (size_t)list[i].bytes + 2 * list[i].alignment;
    void **told = probe ? calloc(1, bytes) : NULL;
    uintptr_t at = (uintptr_t)told + (count + 1) * sizeof(void *);
    for (unsigned i = 0; told && i < count; i++) {
        const size_t place = place_of(probe, stub, i, list[i].bytes);
        at = (at + list[i].alignment - 1) / list[i].alignment * list[i].alignment;
        told[i] = (void *)at;
        if (place != SIZE_MAX && place + list[i].bytes <= work->launch.closure_bytes)
            memcpy(told[i], (const char *)work->launch.closure + place, list[i].bytes);
        at += list[i].bytes;
    }
    free(probe);
    return told;
}

static cudaError_t tell(struct umsim_node *node, struct cudaKernelNodeParams *params)
{
    const struct umsim_parameter *list = NULL;
    unsigned count = 0;
    const void *stub = stub_of(&node->work);
    if (!stub || !umsim_kernel_parameters(stub, &list, &count))
        return cudaErrorNotSupported;
    if (!node->told)
        node->told = arguments_of(&node->work, stub, list, count);
    const struct umsim_launch_request *launch = &node->work.launch;
    *params = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)stub,
                                            .gridDim = launch->geometry.grid,
                                            .blockDim = launch->geometry.block,
                                            .sharedMemBytes = (unsigned)launch->dynamic_shared,
                                            .kernelParams = node->told};
    return node->told ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, struct cudaKernelNodeParams *pNodeParams)
{
    UMSIM_ENTER(cudaGraphKernelNodeGetParams, handle, pNodeParams);
    struct umsim_node *node = umsim_node_of(handle);
    if (!node || !pNodeParams || node->work.type != cudaGraphNodeTypeKernel)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(tell(node, pNodeParams));
}
