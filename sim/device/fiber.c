/**
 * @file fiber.c
 * @brief Implementation of fiber.h: runs kernels whose threads wait for each other.
 *
 * Each GPU thread of a block gets its own stack. A barrier switches to the next thread in the ring (fiber.h),
 * and when control has gone once around the ring, every thread has arrived.
 */
#include "stuck.h"
#include "switch.h"
#include "one_stack.h"
#include "../base/mode.h"
#include "../check/barrier.h"
#include "../count/count.h"
#include "../worker/stacks.h"
#include "../worker/worker.h"
#include "../worker/fail.h"
#include "../include/umsim/types_error.h"
#include "../worker/launches.h"

#include <string.h>

#define CANARY UINT64_C(0x756d6c6162206f6b)

char *umsim_fiber_stack_low(const struct umsim_worker *worker, size_t thread)
{
    const struct umsim_fiber *it = &worker->fibers[thread];
    return worker->one_stack ? it->kept : it->stack_pointer;
}

char *umsim_fiber_stack_high(const struct umsim_worker *worker, size_t thread)
{
    const struct umsim_fiber *it = &worker->fibers[thread];
    return worker->one_stack ? it->kept + umsim_one_stack_bytes(worker, it)
                             : umsim_stack_high(worker, thread);
}

/* Switches to the next thread. */
static inline __attribute__((always_inline)) void yield_to(struct umsim_worker *worker, void **save,
                                                           struct umsim_fiber *next)
{
    if (__builtin_expect(worker->one_stack, 0)) {
        worker->goes_on = next;
        umsim_one_stack_leave();
        return;
    }
    umsim_fiber_make_current(worker, next);
    umsim_switch(save, next->stack_pointer);
}

void umsim_fiber_switch(struct umsim_worker *worker, struct umsim_fiber *me, struct umsim_fiber *next)
{
    yield_to(worker, &me->stack_pointer, next);
}

/* Returns to the worker, from which no thread goes on. */
static inline __attribute__((always_inline)) void leave_worker(struct umsim_worker *worker, void **save)
{
    if (worker->one_stack) {
        worker->goes_on = NULL;
        umsim_one_stack_leave();
    } else {
        worker->current = NULL;
        umsim_switch(save, worker->scheduler_stack_pointer);
    }
}

void umsim_thread_runs(void)
{
    const struct umsim_worker *worker = umsim_this_worker;
    const struct umsim_command *command = worker->command;
    const struct umsim_fiber *me = worker->current;
    me->run(command->closure, &command->geometry, &worker->block_index, &me->index);
}

/* The thread leaves the ring; the last one returns to the worker. */
void umsim_thread_ends(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_fiber *me = worker->current;
    void *of_no_use;
    umsim_warp_lane_ends(worker, me);
    if (me->next == me && worker->blocked)
        umsim_release_gathering(worker, me);
    struct umsim_fiber *next = me->next;
    if (next == me) {
        leave_worker(worker, &of_no_use);
    } else {
        umsim_ring_leave(me);
        yield_to(worker, &of_no_use, next);
    }
    __builtin_unreachable();
}

#ifdef __x86_64__
__asm__(".text\n"
        ".globl umsim_thread_begins\n"
        ".hidden umsim_thread_begins\n"
        ".type umsim_thread_begins, @function\n"
        "umsim_thread_begins:\n\t"
        ".cfi_startproc\n\t"
        ".cfi_undefined rip\n\t"
        "call umsim_thread_runs\n\t"
        "call umsim_thread_ends\n\t"
        ".cfi_endproc\n\t"
        ".size umsim_thread_begins, .-umsim_thread_begins\n");
#else
void umsim_thread_begins(void)
{
    umsim_thread_runs();
    umsim_thread_ends();
}
#endif

/* The stacks that the block's threads have. */
static size_t slots_of(const struct umsim_worker *worker)
{
    return worker->one_stack ? 1 : worker->command->threads_a_block;
}

void umsim_fibers_prepare_warps(struct umsim_worker *worker)
{
    const size_t threads = worker->command->threads_a_block;
    for (size_t first = 0; first < threads; first += UMSIM_WARP_LANES) {
        struct umsim_warp *warp = &worker->warps[first / UMSIM_WARP_LANES];
        const size_t lanes = threads - first;
        warp->alive = lanes < UMSIM_WARP_LANES ? (1u << lanes) - 1 : ~0u;
        warp->open = warp->gathering = 0;
        warp->lanes = &worker->fibers[first];
    }
}

static void prepare_threads(struct umsim_worker *worker, dim3 block, size_t threads)
{
    const struct umsim_kernel *kernel = &worker->command->kernel;
    const umsim_thread_fn run = worker->is_counted_form ? kernel->counted : kernel->thread;
    for (size_t i = 0; i < threads; i++) {
        struct umsim_fiber *fiber = &worker->fibers[i];
        fiber->index = (uint3){(unsigned)(i % block.x), (unsigned)(i / block.x % block.y),
                               (unsigned)(i / block.x / block.y)};
        fiber->run = run;
        fiber->generation = 0;
        fiber->came_to_end = fiber->polls = false;
        fiber->left_count = fiber->left_since = 0;
        fiber->cycles = 0;
        fiber->caller.error = 0;
        fiber->blocked = UMSIM_NOT_BLOCKED;
        fiber->awaited = NULL;
        fiber->warp = &worker->warps[i / UMSIM_WARP_LANES];
        fiber->lane = (unsigned)(i % UMSIM_WARP_LANES);
        fiber->next = &worker->fibers[(i + 1) % threads];
        fiber->previous = &worker->fibers[(i + threads - 1) % threads];
        fiber->stack_pointer = NULL;
        fiber->kept = NULL;
        fiber->kept_bytes = 0;
        if (i >= worker->slots_guarded && i < slots_of(worker))
            *(uint64_t *)umsim_stack_low(worker, i) = CANARY;
        if (!worker->one_stack)
            fiber->stack_pointer = umsim_switch_prepare(umsim_stack_high(worker, i));
    }
}

void umsim_fibers_start_block(struct umsim_worker *worker)
{
    umsim_fibers_prepare_warps(worker);
    umsim_stacks_prepare(worker);
    prepare_threads(worker, worker->command->geometry.block, worker->command->threads_a_block);
    worker->generation = worker->released = worker->blocked = 0;
    worker->waits = (struct umsim_waits){0};
    worker->rests = UMSIM_BLOCK_ENDED;
    worker->resume = &worker->fibers[0];
}

void umsim_fibers_leave_block(struct umsim_worker *worker, enum umsim_block_rests why)
{
    struct umsim_fiber *me = worker->current;
    worker->rests = why;
    worker->resume = me;
    leave_worker(worker, &me->stack_pointer);
}

enum umsim_block_rests umsim_fibers_go_on(struct umsim_worker *worker)
{
    struct umsim_fiber *resume = worker->resume;
    worker->resume = NULL;
    worker->patience = worker->rests == UMSIM_BLOCK_SPINS ? UMSIM_PATIENCE_LATER : UMSIM_PATIENCE;
    worker->rests = UMSIM_BLOCK_ENDED;
    umsim_builtins.block_index = worker->block_index;
    if (worker->one_stack) {
        umsim_one_stack_run(worker, resume);
        if (worker->rests == UMSIM_BLOCK_ENDED && !worker->residents)
            worker->kept_bytes = 0;
    } else {
        yield_to(worker, &worker->scheduler_stack_pointer, resume);
    }
    for (size_t i = worker->slots_guarded; i < slots_of(worker); i++)
        if (*(uint64_t *)umsim_stack_low(worker, i) != CANARY)
            umsim_gpu_fail(worker, cudaErrorIllegalAddress,
                           "overflowed the stack of a thread: recurse less deeply, or call "
                           "cudaDeviceSetLimit(cudaLimitStackSize, more) before the launch");
    return worker->rests;
}

/* The ring came round to a thread at a barrier, so all other threads in the ring are at the barrier, too.
 * Those that are blocked will not come unless they are released. */
static __attribute__((noinline)) void wait_for_blocked(struct umsim_worker *worker, struct umsim_fiber *me)
{
    while (worker->blocked)
        umsim_fiber_switch(worker, me, umsim_release_gathering(worker, me->previous));
}

/* A thread is not where the block's first one was: from here on each thread of this barrier notes where it
 * is. In a checked program each one does. */
static __attribute__((noinline)) void note_place(struct umsim_worker *worker, struct umsim_fiber *me,
                                                 struct umsim_place_in_source place)
{
    for (size_t i = 0; worker->common_line && i < worker->command->threads_a_block; i++)
        if (worker->fibers[i].generation == worker->generation)
            worker->fibers[i].barrier = worker->barrier;
    worker->common_line = 0;
    me->barrier = place;
}

/* Consecutive barriers have separate counts: a thread may reach the next barrier before all have read the
 * count of this one. */
static inline __attribute__((always_inline)) unsigned *arrive(struct umsim_worker *worker, bool predicate,
                                                              const char *file, int line)
{
    struct umsim_fiber *me = worker->current;
    if (__builtin_expect(!me, 0))
        umsim_fail_unseen(worker);
    const unsigned generation = ++me->generation;
    unsigned *count = &worker->count[generation % 2];
    if (worker->generation != generation) {
        worker->generation = generation;
        worker->barrier = (struct umsim_place_in_source){file, line};
        worker->common_line = umsim_checks ? 0 : line;
        worker->is_of_grid = false;
        *count = 0;
    }
    if (__builtin_expect(worker->common_line != line, 0))
        note_place(worker, me, (struct umsim_place_in_source){file, line});
    *count += predicate;
    return count;
}

/* A barrier counts the threads that come to it, wherever they do (PTX's bar.sync): warps may wait at
 * different places, lanes of one warp may not. CUDA wants one place, and so does --check. All threads have
 * come somewhere before the kernel fails, so that all can be named. */
static __attribute__((noinline)) void judge_barrier(struct umsim_worker *worker)
{
    const bool anywhere = !umsim_checks && !worker->is_of_grid;
    const struct umsim_fiber *first = NULL; /* of its warp */
    for (size_t i = 0; i < worker->command->threads_a_block; i++) {
        struct umsim_fiber *it = &worker->fibers[i];
        if (it->generation != worker->generation)
            continue;
        if (!first || it->warp != first->warp)
            first = it;
        const int line = anywhere ? first->barrier.line : worker->barrier.line;
        if (it->barrier.line == line)
            continue;
        worker->current = it;
        if (anywhere)
            worker->barrier = first->barrier;
        umsim_fail_divergent(worker, it->barrier);
    }
    if (umsim_checks)
        umsim_check_barrier(worker);
}

/* @return whether this is the first thread to go on */
static inline __attribute__((always_inline)) bool wait_for_all(struct umsim_worker *worker)
{
    struct umsim_fiber *me = worker->current, *next = me->next;
    if (next != me)
        yield_to(worker, &me->stack_pointer, next);
    if (worker->released == me->generation)
        return false;
    if (__builtin_expect(worker->blocked != 0, 0))
        wait_for_blocked(worker, me);
    if (__builtin_expect(worker->common_line == 0, 0))
        judge_barrier(worker);
    worker->released = me->generation;
    return true;
}

void umsim_fiber_syncthreads(const char *file, int line)
{
    struct umsim_worker *worker = umsim_this_worker;
    arrive(worker, false, file, line);
    wait_for_all(worker);
}

#ifdef __x86_64__
void umsim_one_stack_at_barrier(struct umsim_worker *worker, const char *file, int line)
{
    arrive(worker, false, file, line);
    worker->goes_on = worker->current->next;
}

struct umsim_fiber *umsim_one_stack_released(struct umsim_worker *worker, struct umsim_fiber *me)
{
    if (worker->blocked)
        return umsim_release_gathering(worker, me->previous);
    if (worker->common_line == 0)
        judge_barrier(worker);
    worker->released = me->generation;
    return me;
}
#else
void umsim_syncthreads(const char *file, int line)
{
    umsim_fiber_syncthreads(file, line);
}
#endif

__attribute__((noinline)) int umsim_syncthreads_count(int predicate, const char *file, int line)
{
    struct umsim_worker *worker = umsim_this_worker;
    const unsigned *count = arrive(worker, predicate != 0, file, line);
    wait_for_all(worker);
    return (int)*count;
}

/* When the whole block is here, its first thread returns to the worker. */
void umsim_grid_sync(const char *file, int line)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (!worker->command->cooperative)
        umsim_fail_no_grid(worker, (struct umsim_place_in_source){file, line});
    arrive(worker, false, file, line);
    worker->is_of_grid = true;
    if (wait_for_all(worker))
        umsim_fibers_leave_block(worker, UMSIM_BLOCK_AT_GRID);
}

int umsim_grid_is_cooperative(void)
{
    return umsim_this_worker->command->cooperative;
}
