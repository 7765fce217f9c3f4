/**
 * @file bounds.c
 * @brief Implementation of bounds.h: checks the address of each access, and counts it where a block's are.
 *
 * gcc dictates the names and signatures of the functions that -fsanitize=kernel-address calls. Nothing else
 * of AddressSanitizer is used.
 */
#include "bounds.h"
#include "../count/block.h"
#include "../worker/worker.h"
#include "../worker/fail.h"
#include "../record/ledger.h"
#include "../space/arena.h"
#include "../space/protection.h"
#include "../worker/launches.h"
#include "../base/processes.h"

static bool is_in(uintptr_t p, size_t bytes, const void *start, size_t length)
{
    const size_t offset = p - (uintptr_t)start;
    return offset < length && bytes <= length - offset;
}

/* What the library gives a thread to read: parameters, gridDim and the like. */
static bool is_told(const struct umsim_worker *worker, uintptr_t p, size_t bytes)
{
    const struct umsim_command *command = worker->command;
    const struct umsim_fiber *fiber = worker->current;
    return is_in(p, bytes, command->closure, command->closure_bytes) ||
           is_in(p, bytes, &command->geometry, sizeof command->geometry) ||
           is_in(p, bytes, &worker->block_index, sizeof worker->block_index) ||
           is_in(p, bytes, &worker->thread_index, sizeof worker->thread_index) ||
           (fiber && is_in(p, bytes, &fiber->index, sizeof fiber->index));
}

static bool is_blocks_own(const struct umsim_worker *worker, uintptr_t p, size_t bytes)
{
    return is_in(p, bytes, worker->static_shared, UMSIM_STATIC_SHARED_MAX) ||
           is_in(p, bytes, worker->dynamic_shared, UMSIM_DYNAMIC_SHARED_MAX);
}

static _Thread_local uint64_t touched __attribute__((tls_model("initial-exec")));

void umsim_bounds_tell(void)
{
    umsim_ledger_touched(touched);
    touched = 0;
}

static void __attribute__((noinline)) check_access(uintptr_t p, size_t bytes, bool is_write)
{
    const struct umsim_worker *worker = umsim_this_worker;
    if (is_blocks_own(worker, p, bytes) || (!is_write && is_told(worker, p, bytes)))
        return;
    if (!umsim_gpu_is_for_kernels((const void *)p, bytes))
        umsim_gpu_refuse((void *)p, is_write);
    touched += bytes;
}

/* Most accesses go to the arenas, whose pages have protections of their own, so these are tested first. */
static inline __attribute__((always_inline)) void check(uintptr_t p, size_t bytes, bool is_write,
                                                        const void *pc)
{
    if (!umsim_in_gpu)
        return;
    umsim_count_access(p, bytes, is_write ? UMSIM_COUNTS_WRITE : UMSIM_COUNTS_READ, pc);
    for (int i = 0; i < UMSIM_ARENAS; i++)
        if (is_in(p, bytes, umsim_arenas[i].base, umsim_arenas[i].size)) {
            touched += bytes;
            return;
        }
    check_access(p, bytes, is_write);
}

#define HERE __builtin_return_address(0)
#define CHECKS(bytes)                                                                                        \
    void __asan_load##bytes##_noabort(void *p);                                                              \
    void __asan_store##bytes##_noabort(void *p);                                                             \
    void __asan_load##bytes##_noabort(void *p)                                                               \
    {                                                                                                        \
        check((uintptr_t)p, bytes, false, HERE);                                                             \
    }                                                                                                        \
    void __asan_store##bytes##_noabort(void *p)                                                              \
    {                                                                                                        \
        check((uintptr_t)p, bytes, true, HERE);                                                              \
    }
CHECKS(1)
CHECKS(2)
CHECKS(4)
CHECKS(8)
CHECKS(16)

void __asan_loadN_noabort(void *p, intptr_t bytes);
void __asan_storeN_noabort(void *p, intptr_t bytes);
void __asan_before_dynamic_init(const void *module);
void __asan_after_dynamic_init(void);
void __asan_handle_no_return(void);

void __asan_loadN_noabort(void *p, intptr_t bytes)
{
    check((uintptr_t)p, (size_t)bytes, false, HERE);
}

void __asan_storeN_noabort(void *p, intptr_t bytes)
{
    check((uintptr_t)p, (size_t)bytes, true, HERE);
}

void __asan_before_dynamic_init(const void *module)
{
    (void)module;
}

void __asan_after_dynamic_init(void)
{
}

void __asan_handle_no_return(void)
{
}
