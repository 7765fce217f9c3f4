/**
 * @file keyed.c
 * @brief Mixes what a graded kernel stores with the grader's key (umsim/keyed_value.h).
 *
 * umcc has device code come here with each assignment (umsim/keyed.h). The key stays in this process: no
 * kernel can read it (bounds.h), and the program's process does not map it.
 */
#include "../base/processes.h"
#include "../record/ledger.h"
#include "../space/arena.h"
#include "../space/protection.h"
#include "../worker/fail.h"
#include "../worker/worker.h"

#include <cuda_runtime_api.h>

static const uint64_t bytes_of[] = {
    [UMSIM_KEYED_FLOAT] = 4,    [UMSIM_KEYED_DOUBLE] = 8,   [UMSIM_KEYED_WHOLE_8] = 1,
    [UMSIM_KEYED_WHOLE_16] = 2, [UMSIM_KEYED_WHOLE_32] = 4, [UMSIM_KEYED_WHOLE_64] = 8,
};

static bool is_in(uintptr_t p, const void *start, uint64_t bytes)
{
    return p - (uintptr_t)start < bytes;
}

/* Device, pinned and managed memory stand in arenas; registered memory and variables elsewhere. What is left
 * is a thread's own, or its block's. */
static bool is_global(uintptr_t place, uint64_t bytes)
{
    for (int i = 0; i < UMSIM_ARENAS; i++)
        if (is_in(place, umsim_arenas[i].base, umsim_arenas[i].size))
            return true;
    return !is_in(place, umsim_this_worker->static_shared, UMSIM_STATIC_SHARED_MAX) &&
           !is_in(place, umsim_this_worker->dynamic_shared, UMSIM_DYNAMIC_SHARED_MAX) &&
           umsim_gpu_is_for_kernels((const void *)place, bytes);
}

uint64_t umsim_keyed(const volatile void *place, const void *frame, enum umsim_keyed_kind kind,
                     enum umsim_keyed_use use, uint64_t bits)
{
    const char *own = __builtin_frame_address(0);
    const struct umsim_key *key = umsim_in_gpu ? umsim_ledger_key() : NULL;
    if (!key || (place > (const void *)own && place < frame))
        return bits;
    return is_global((uintptr_t)place, bytes_of[kind]) ? umsim_keyed_bits(key, kind, use, bits) : bits;
}

void umsim_keyed_refuse(const volatile void *place, uint64_t bytes)
{
    if (umsim_in_gpu && umsim_ledger_key() && is_global((uintptr_t)place, bytes))
        umsim_gpu_fail(umsim_this_worker, cudaErrorNotSupported,
                       "stores a structure, which umcc --keyed cannot mix: assign its members one by one");
}
