/**
 * @file condition.c
 * @brief cudaGraphSetConditional() of a kernel: the number that a graph's conditional node asks
 * (api/graph_condition.c).
 */
#include "../include/umsim/library.h"
#include "../include/umsim/types_error.h"
#include "../worker/fail.h"
#include "../worker/launches.h"
#include "../worker/worker.h"

void umsim_condition_set(unsigned long long handle, unsigned value)
{
    if (handle == 0 || handle > UMSIM_CONDITION_PLACES)
        umsim_gpu_fail(umsim_this_worker, cudaErrorInvalidValue,
                       "called cudaGraphSetConditional() with what is no handle: one comes from "
                       "cudaGraphConditionalHandleCreate()");
    atomic_store_explicit(&umsim_this_worker->command->measured.beyond, true, memory_order_relaxed);
    atomic_store_explicit(&umsim_launches->conditions[handle - 1], value, memory_order_relaxed);
}
