/**
 * @file graph_condition.c
 * @brief The numbers that conditional nodes ask (CUDA Runtime API, Graph Management).
 *
 * They lie in memory that both processes share, because kernels set them (devlib/condition.c). A number's
 * place is never used again, as a graph that was made of another one may outlive it.
 */
#include "graph.h"
#include "../base/report.h"
#include "../worker/launches.h"

#include <stdlib.h>

static unsigned made; /* the handles that were given out: 1, 2, ... */

_Atomic unsigned *umsim_condition_of(cudaGraphConditionalHandle handle)
{
    return handle && handle <= made ? &umsim_launches->conditions[handle - 1] : NULL;
}

void umsim_condition_assign(const struct umsim_default *it)
{
    if (it->assigned)
        atomic_store(&umsim_launches->conditions[it->index], it->value);
}

/* The graph whose handle it is: this one, or one around it. @return NULL: of none of them */
static const struct umsim_graph *owner_of(const struct umsim_graph *graph, cudaGraphConditionalHandle handle)
{
    for (; graph; graph = graph->around)
        for (size_t i = 0; i < graph->default_count; i++)
            if (graph->defaults[i].index + 1 == handle)
                return graph;
    return NULL;
}

/* Whether a conditional node of a graph, or of its nodes' graphs, asks it. */
static bool is_asked(const struct umsim_graph *graph, cudaGraphConditionalHandle handle)
{
    for (const struct umsim_node *node = graph->first; node; node = node->next) {
        if (node->work.type != cudaGraphNodeTypeConditional)
            continue;
        if (node->work.condition.handle == handle)
            return true;
        for (unsigned i = 0; i < node->work.condition.size; i++)
            if (is_asked(node->body[i], handle))
                return true;
    }
    return false;
}

cudaError_t umsim_condition_check(const struct umsim_graph *graph, const struct umsim_choice *condition)
{
    const unsigned size = condition->size;
    const bool fits = condition->type == cudaGraphCondTypeIf      ? size == 1 || size == 2
                      : condition->type == cudaGraphCondTypeWhile ? size == 1
                                                                  : size > 0;
    const struct umsim_graph *owner = owner_of(graph, condition->handle);
    if (!fits || (unsigned)condition->type > cudaGraphCondTypeSwitch || !owner ||
        is_asked(owner, condition->handle))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

bool umsim_condition_bodies(struct umsim_node *node)
{
    const unsigned size = node->work.condition.size;
    node->body = calloc(size, sizeof(struct umsim_graph *));
    for (unsigned i = 0; node->body && i < size; i++) {
        node->body[i] = umsim_graph_make();
        if (!node->body[i])
            return false;
        umsim_graph_list(node->body[i]);
        node->body[i]->owned = node->body[i]->is_body = true;
        node->body[i]->around = node->graph;
    }
    return node->body != NULL;
}

static cudaError_t create(struct umsim_graph *graph, unsigned value, bool assigned,
                          cudaGraphConditionalHandle *out)
{
    struct umsim_default *grown =
        realloc(graph->defaults, (graph->default_count + 1) * sizeof *graph->defaults);
    if (grown)
        graph->defaults = grown;
    if (!grown || made == UMSIM_CONDITION_PLACES) {
        if (grown)
            umsim_say("cudaGraphConditionalHandleCreate() fails: the simulator has places for %d handles in "
                      "the life of a program, and all are used; make fewer graphs with conditions, or update "
                      "those that there are",
                      UMSIM_CONDITION_PLACES);
        return cudaErrorMemoryAllocation;
    }
    atomic_store(&umsim_launches->conditions[made], value);
    graph->defaults[graph->default_count++] = (struct umsim_default){made, value, assigned};
    *out = ++made;
    return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
                                             unsigned int defaultLaunchValue, unsigned int flags)
{
    UMSIM_ENTER(cudaGraphConditionalHandleCreate, pHandle_out, graph, defaultLaunchValue, flags);
    struct umsim_graph *it = umsim_graph_of(graph);
    if (!pHandle_out || !it || (flags & ~(unsigned)cudaGraphCondAssignDefault))
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(create(it, defaultLaunchValue, flags & cudaGraphCondAssignDefault, pHandle_out));
}
