/**
 * @file shared_memory.c
 * @brief __shared__ variables, and the variables of kernels that were cut at their barriers.
 *
 * Each worker has one piece of memory for __shared__ variables. The thread blocks that it runs use this piece
 * one after another, and find in it what the last one left, as on hardware.
 */
#include "../worker/worker.h"
#include "../check/check.h"
#include "../worker/fail.h"
#include "../include/umsim/types_error.h"
#include "../base/layout.h"
#include "../base/mode.h"

#include <sys/mman.h>

void *umsim_shared(const void *key, size_t bytes, size_t alignment)
{
    struct umsim_worker *worker = umsim_this_worker;
    for (size_t i = 0; i < worker->shared_count; i++)
        if (worker->shared[i].key == key)
            return worker->static_shared + worker->shared[i].offset;
    const size_t gap = umsim_checks ? UMSIM_SHARED_GAP : 0, gaps = (worker->shared_count + 1) * gap;
    size_t offset = umsim_round_up(worker->shared_bytes + gap, alignment);
    if (offset + bytes > UMSIM_STATIC_SHARED_MAX + gaps || worker->shared_count == UMSIM_SHARED_VARIABLES_MAX)
        umsim_gpu_fail(worker, cudaErrorLaunchOutOfResources,
                       "has more than 48 KiB of static __shared__ variables, or more than 64 of them");
    worker->shared[worker->shared_count].key = key;
    worker->shared[worker->shared_count].bytes = bytes;
    worker->shared[worker->shared_count++].offset = offset;
    worker->shared_bytes = offset + bytes;
    return worker->static_shared + offset;
}

void *umsim_dynamic_shared(void)
{
    return umsim_this_worker->dynamic_shared;
}

unsigned umsim_dynamic_shared_bytes(void)
{
    return (unsigned)umsim_this_worker->command->dynamic_shared;
}

/* The memory is opened as needed, this much at a time. */
#define KEEP_STEP ((size_t)1 << 20)

static bool open_kept(struct umsim_worker *worker, size_t bytes)
{
    const size_t open = umsim_round_up(bytes, KEEP_STEP);
    if (bytes > worker->kept_most || mprotect(worker->kept, open, PROT_READ | PROT_WRITE) != 0)
        return false;
    worker->kept_open = open;
    return true;
}

void *umsim_keep(size_t bytes, size_t alignment)
{
    struct umsim_worker *worker = umsim_this_worker;
    const size_t offset = umsim_round_up(worker->kept_bytes, alignment < 64 ? 64 : alignment);
    if (offset + bytes > worker->kept_open && !open_kept(worker, offset + bytes))
        umsim_gpu_fail(
            worker, cudaErrorLaunchFailure,
            "has more local variables in the threads of a block than there is memory for (128 MiB, or less "
            "under a limit)");
    worker->kept_bytes = offset + bytes;
    return worker->kept + offset;
}

void umsim_keep_end(void *memory)
{
    umsim_this_worker->kept_bytes = (size_t)((char *)memory - umsim_this_worker->kept);
}
