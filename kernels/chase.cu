/**
 * @file chase.cu
 * @brief Kernels of one thread in which each read needs the value of the read before: they measure latency.
 */
#include "launch.h"

extern "C" __global__ void um_pointer_chase_kernel(uint64_t *last, const uint64_t *next, uint64_t start,
                                                   size_t steps)
{
    uint64_t i = start;

    for (size_t step = 0; step < steps; step++) {
        i = next[i];
    }
    *last = i;
}

extern "C" cudaError_t um_pointer_chase(uint64_t *last, const uint64_t *next, uint64_t start, size_t steps,
                                        cudaStream_t stream)
{
    if (steps == 0)
        return cudaSuccess;
    um_launch_begin();
    um_pointer_chase_kernel<<<1, 1, 0, stream>>>(last, next, start, steps);
    return cudaGetLastError();
}

extern "C" __global__ void um_list_sum_kernel(int64_t *sum, const struct um_node *head, size_t limit)
{
    int64_t total = 0;

    for (size_t step = 0; step < limit && head; step++) {
        total += head->value;
        head = head->next;
    }
    *sum = total;
}

extern "C" cudaError_t um_list_sum(int64_t *sum, const struct um_node *head, size_t limit,
                                   cudaStream_t stream)
{
    if (limit == 0)
        return cudaSuccess;
    um_launch_begin();
    um_list_sum_kernel<<<1, 1, 0, stream>>>(sum, head, limit);
    return cudaGetLastError();
}
