/**
 * @file graph_dot.c
 * @brief Writes graphs as pictures for Graphviz: cudaGraphDebugDotPrint() (CUDA Runtime API, Graph
 * Management).
 */
#include "graph.h"

#include <stdio.h>

static const char *const names[cudaGraphNodeTypeCount] = {
    [cudaGraphNodeTypeKernel] = "KERNEL",
    [cudaGraphNodeTypeMemcpy] = "MEMCPY",
    [cudaGraphNodeTypeMemset] = "MEMSET",
    [cudaGraphNodeTypeHost] = "HOST",
    [cudaGraphNodeTypeGraph] = "GRAPH",
    [cudaGraphNodeTypeEmpty] = "EMPTY",
    [cudaGraphNodeTypeWaitEvent] = "EVENT_WAIT",
    [cudaGraphNodeTypeEventRecord] = "EVENT_RECORD",
    [cudaGraphNodeTypeMemAlloc] = "MEM_ALLOC",
    [cudaGraphNodeTypeMemFree] = "MEM_FREE",
    [cudaGraphNodeTypeConditional] = "CONDITIONAL",
};

static bool wants(unsigned flags, unsigned flag)
{
    return flags & (flag | cudaGraphDebugDotFlagsVerbose);
}

static void put_details(FILE *file, const struct umsim_work *work, unsigned flags)
{
    const dim3 grid = work->launch.geometry.grid, block = work->launch.geometry.block;
    const struct umsim_copy *copy = &work->copy;
    if (work->type == cudaGraphNodeTypeKernel && wants(flags, cudaGraphDebugDotFlagsKernelNodeParams))
        fprintf(file, "\\n<<<%u,%u,%u; %u,%u,%u; %zu>>>", grid.x, grid.y, grid.z, block.x, block.y, block.z,
                work->launch.dynamic_shared);
    if (work->type == cudaGraphNodeTypeMemcpy && wants(flags, cudaGraphDebugDotFlagsMemcpyNodeParams))
        fprintf(file, "\\n%zu x %zu bytes", copy->rows * (copy->slices ? copy->slices : 1), copy->width);
    if (work->type == cudaGraphNodeTypeMemset && wants(flags, cudaGraphDebugDotFlagsMemsetNodeParams))
        fprintf(file, "\\n%zu x %zu bytes, %d", work->set.rows, work->set.width, work->set.value);
}

static void put_graph(FILE *file, struct umsim_graph *graph, unsigned flags, const char *prefix);

/* A graph within a node. */
static void put_inner(FILE *file, struct umsim_graph *graph, unsigned flags, const char *prefix, size_t index)
{
    char inner[64];
    snprintf(inner, sizeof inner, "%.40s_%zu", prefix, index);
    fprintf(file, "subgraph \"cluster_%s\" {\nlabel=\"%s\";\n", inner, inner);
    put_graph(file, graph, flags, inner);
    fprintf(file, "}\n");
}

static void put_graph(FILE *file, struct umsim_graph *graph, unsigned flags, const char *prefix)
{
    umsim_graph_count(graph);
    for (const struct umsim_node *node = graph->first; node; node = node->next) {
        const struct umsim_work *work = &node->work;
        const bool kernel = work->type == cudaGraphNodeTypeKernel;
        fprintf(file, "\"%s_%zu\" [shape=\"%s\", label=\"%zu %s%s%s", prefix, node->index,
                kernel ? "octagon" : "rectangle", node->index, names[work->type], kernel ? "\\n" : "",
                kernel ? work->launch.kernel->name : "");
        put_details(file, work, flags);
        fprintf(file, "\"];\n");
        if (work->type == cudaGraphNodeTypeGraph)
            put_inner(file, work->child, flags, prefix, node->index);
        for (unsigned i = 0; node->body && i < work->condition.size; i++) {
            char inner[64];
            snprintf(inner, sizeof inner, "%.40s_%zu", prefix, node->index);
            put_inner(file, node->body[i], flags, inner, i);
        }
    }
    for (const struct umsim_node *node = graph->first; node; node = node->next)
        for (size_t i = 0; i < node->after_count; i++)
            fprintf(file, "\"%s_%zu\" -> \"%s_%zu\";\n", prefix, node->after[i]->index, prefix, node->index);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned int flags)
{
    UMSIM_ENTER(cudaGraphDebugDotPrint, handle, path, flags);
    struct umsim_graph *graph = (struct umsim_graph *)handle;
    if (!umsim_graph_is(graph) || !path)
        return umsim_leave(cudaErrorInvalidValue);
    FILE *file = fopen(path, "w");
    if (!file)
        return umsim_leave(cudaErrorOperatingSystem);
    fprintf(file, "digraph dot {\n");
    put_graph(file, graph, flags, "graph");
    fprintf(file, "}\n");
    return umsim_leave(fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem);
}
