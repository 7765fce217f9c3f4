/* hostile: streams, events, graphs, pools and their nodes without end, never given back */
/* cases: 4 */
/* seconds: 60 */
#include "exercise.h"
#include <stdio.h>

static void fill(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphCreate(&graph, 0);
    for (;;) {
#if HOSTILE_CASE == 0
        cudaEvent_t it;
        cudaEventCreate(&it);
#elif HOSTILE_CASE == 1
        cudaStream_t it;
        cudaStreamCreate(&it);
#elif HOSTILE_CASE == 2
        cudaGraphNode_t it;
        cudaGraphAddEmptyNode(&it, graph, NULL, 0);
#else
        cudaMemPool_t it;
        struct cudaMemPoolProps how = {.allocType = cudaMemAllocationTypePinned,
                                       .location = {cudaMemLocationTypeDevice, 0}};
        cudaMemPoolCreate(&it, &how);
#endif
    }
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    fill();
    return cudaSuccess;
}
