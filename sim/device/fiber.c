/**
 * @file fiber.c
 * @brief Implementation of fiber.h: runs kernels whose threads wait for each other.
 *
 * Each GPU thread of a block gets its own stack. A barrier switches to the next thread in the ring (fiber.h),
 * and when control has gone once around the ring, every thread has arrived.
 *
 * The switch is inline assembly that ends in a jump: a return to another stack's address defeats the
 * processor's return prediction and costs three times as much (18 to 21 ns against 6 to 8, measured on a
 * 2-core virtual machine with x86-64).
 */
#include "stuck.h"
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

#if defined(__x86_64__)
/* Saves rbx, rbp and where to go on. Everything else is declared lost, so the compiler saves what it needs.
 * The 128 bytes below the stack pointer (the red zone) may be in use. */
static inline __attribute__((always_inline)) void fiber_switch(void **save, void *to)
{
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rbp\n\t"
                     "pushq %%rbx\n\t"
                     "pushq %%rax\n\t"
                     "movq %%rsp, (%0)\n\t"
                     "movq %1, %%rsp\n\t"
                     "popq %%rax\n\t"
                     "popq %%rbx\n\t"
                     "popq %%rbp\n\t"
                     "leaq 128(%%rsp), %%rsp\n\t"
                     "jmp *%%rax\n"
                     "1:"
                     : "+D"(save), "+S"(to)
                     :
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory",
                       "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#ifdef __AVX512F__
                       ,
                       "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24",
                       "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4",
                       "k5", "k6", "k7"
#endif
    );
}

static void fiber_prepare(struct umsim_fiber *fiber, char *low, char *high, void (*start)(void))
{
    (void)low;
    /* the values that fiber_switch() pops, the red zone, and a return address slot that leaves rsp as after a
     * call */
    uintptr_t top = (uintptr_t)high - 8;
    void **frame = (void **)(top - 128 - 3 * sizeof(void *));
    frame[0] = (void *)start;
    frame[1] = NULL;
    frame[2] = NULL;
    fiber->stack_pointer = frame;
}
#elif defined(__aarch64__)
/* Saves x29 (the frame) and where to go on; everything else is declared lost. The jump is by x16, so that it
 * may also lead to a function's beginning where branches are guarded (BTI); `hint #36` is what they may lead
 * to. */
static inline __attribute__((always_inline)) void fiber_switch(void **save, void *to)
{
    register void **from __asm__("x0") = save;
    register void *next __asm__("x1") = to;
    __asm__ volatile("adr x16, 1f\n\t"
                     "stp x29, x16, [sp, #-16]!\n\t"
                     "mov x17, sp\n\t"
                     "str x17, [x0]\n\t"
                     "mov sp, x1\n\t"
                     "ldp x29, x16, [sp], #16\n\t"
                     "br x16\n"
                     "1:\n\t"
                     "hint #36"
                     : "+r"(from), "+r"(next)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
                       "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
                       "x27", "x28", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",
                       "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
                       "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}

static void fiber_prepare(struct umsim_fiber *fiber, char *low, char *high, void (*start)(void))
{
    (void)low;
    void **frame = (void **)((uintptr_t)high & ~(uintptr_t)15) - 2; /* what fiber_switch() takes */
    frame[0] = NULL;
    frame[1] = (void *)start;
    fiber->stack_pointer = frame;
}
#else
#error "umlab's simulator knows how to switch stacks on x86-64 and on arm64"
#endif

/* Whole lines of the host's cache: what is read of a line soon after it was copied is there at once then. */
static char *low_of_one_stack(const struct umsim_fiber *it)
{
    return (char *)((uintptr_t)it->stack_pointer & ~(uintptr_t)63);
}

static size_t used_of_one_stack(const struct umsim_worker *worker, const struct umsim_fiber *it)
{
    return it->stack_pointer ? (size_t)(umsim_stack_high(worker, 0) - low_of_one_stack(it)) : 0;
}

char *umsim_fiber_stack_low(const struct umsim_worker *worker, size_t thread)
{
    const struct umsim_fiber *it = &worker->fibers[thread];
    return worker->one_stack ? it->kept : it->stack_pointer;
}

char *umsim_fiber_stack_high(const struct umsim_worker *worker, size_t thread)
{
    const struct umsim_fiber *it = &worker->fibers[thread];
    return worker->one_stack ? it->kept + used_of_one_stack(worker, it) : umsim_stack_high(worker, thread);
}

/* The thread is the current one, and threadIdx is its. */
static inline __attribute__((always_inline)) void make_current(struct umsim_worker *worker,
                                                               struct umsim_fiber *next)
{
    worker->current = next;
    umsim_builtins.thread_index = next->index;
    if (__builtin_expect(worker->counting != NULL, 0))
        umsim_count_enter(worker, (size_t)(next - worker->fibers));
}

/* Switches to the next thread. */
static inline __attribute__((always_inline)) void yield_to(struct umsim_worker *worker, void **save,
                                                           struct umsim_fiber *next)
{
    make_current(worker, next);
    worker->goes_on = next;
    fiber_switch(save, __builtin_expect(worker->one_stack, 0) ? worker->scheduler_stack_pointer
                                                              : next->stack_pointer);
}

void umsim_fiber_switch(struct umsim_worker *worker, struct umsim_fiber *me, struct umsim_fiber *next)
{
    yield_to(worker, &me->stack_pointer, next);
}

/* A thread's whole life. The thread leaves the ring at its end; the last thread returns to the worker. */
static void fiber_main(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_fiber *me = worker->current;
    const struct umsim_command *command = worker->command;
    me->run(command->closure, &command->geometry, &worker->block_index, &me->index);
    umsim_warp_lane_ends(worker, me);
    if (me->next == me && worker->blocked)
        umsim_release_gathering(worker, me);
    struct umsim_fiber *next = me->next;
    if (next == me) {
        worker->current = NULL;
        fiber_switch(&me->stack_pointer, worker->scheduler_stack_pointer);
    } else {
        umsim_ring_leave(me);
        yield_to(worker, &me->stack_pointer, next);
    }
    __builtin_unreachable();
}

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

/* ---- threads on one stack (../worker/stacks.h) ---- */

static void keep_stack(struct umsim_worker *worker, struct umsim_fiber *it)
{
    const size_t used = used_of_one_stack(worker, it);
    worker->stack_copies++;
    if (used > it->kept_bytes) {
        it->kept_bytes = !it->kept && used <= UMSIM_KEPT_STACK ? used + UMSIM_KEPT_SPARE
                         : used <= UMSIM_KEPT_MORE             ? UMSIM_KEPT_MORE
                                                               : worker->slot_bytes;
        it->kept = umsim_keep(it->kept_bytes, 64);
    }
    memcpy(it->kept, low_of_one_stack(it), used);
}

static void put_stack_back(struct umsim_worker *worker, struct umsim_fiber *it)
{
    if (it->stack_pointer)
        memcpy(low_of_one_stack(it), it->kept, used_of_one_stack(worker, it));
    else
        fiber_prepare(it, umsim_stack_low(worker, 0), umsim_stack_high(worker, 0), fiber_main);
}

/* What the thread behind has in use of the stack will be needed soon. */
static void fetch(const struct umsim_fiber *it)
{
    for (size_t i = 0; i < it->kept_bytes && i < UMSIM_KEPT_STACK; i += 64)
        __builtin_prefetch(it->kept + i);
}

/* Each thread comes back here when it waits, and names the next one. */
static void run_on_one_stack(struct umsim_worker *worker, struct umsim_fiber *first)
{
    make_current(worker, first);
    for (struct umsim_fiber *it = first; it; it = worker->goes_on) {
        put_stack_back(worker, it);
        fetch(it->next);
        worker->goes_on = NULL;
        fiber_switch(&worker->scheduler_stack_pointer, it->stack_pointer);
        if (it->warp->alive >> it->lane & 1)
            keep_stack(worker, it);
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
            fiber_prepare(fiber, umsim_stack_low(worker, i), umsim_stack_high(worker, i), fiber_main);
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
    worker->current = NULL;
    fiber_switch(&me->stack_pointer, worker->scheduler_stack_pointer);
}

enum umsim_block_rests umsim_fibers_go_on(struct umsim_worker *worker)
{
    struct umsim_fiber *resume = worker->resume;
    worker->resume = NULL;
    worker->patience = worker->rests == UMSIM_BLOCK_SPINS ? UMSIM_PATIENCE_LATER : UMSIM_PATIENCE;
    worker->rests = UMSIM_BLOCK_ENDED;
    umsim_builtins.block_index = worker->block_index;
    if (worker->one_stack) {
        run_on_one_stack(worker, resume);
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

__attribute__((noinline)) void umsim_syncthreads(const char *file, int line)
{
    struct umsim_worker *worker = umsim_this_worker;
    arrive(worker, false, file, line);
    wait_for_all(worker);
}

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
