/*
 * fiber.c: kernels with barriers. Each GPU thread of a block gets a stack of its own; a barrier switches to the next
 * living thread in the ring, and when the turn comes round every thread has arrived.
 *
 * On x86-64 the switch is inline assembly that ends in a jump: a return to another stack's address defeats the
 * processor's return prediction and costs three times as much (18 to 21 ns against 6 to 8, measured on a 2-core
 * virtual machine). Other processors use ucontext, correct and slow.
 */
#include "worker.h"
#include "../fault/gpu_fault.h"
#include "../include/umsim_types_error.h"

#include <ucontext.h>

#define CANARY UINT64_C(0x756d6c6162206f6b)

static char *stack_of(const struct umsim_worker *worker, size_t thread)
{
    return worker->fiber_stacks + thread * (UMSIM_FIBER_STACK + UMSIM_FIBER_COLOUR);
}

#if defined(__x86_64__)
/* Saves rbx, rbp and where to go on; everything else is declared lost, so the compiler keeps what it needs. The
 * 128 bytes below the stack pointer (the red zone) may be in use. */
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

static void fiber_prepare(struct umsim_fiber *fiber, char *stack, void (*start)(void))
{
    /* what fiber_switch() pops, the red zone, and a return address slot that leaves rsp as after a call */
    uintptr_t top = ((uintptr_t)stack + UMSIM_FIBER_STACK) / 64 * 64 - 8;
    void **frame = (void **)(top - 128 - 3 * sizeof(void *));
    frame[0] = (void *)start;
    frame[1] = NULL;
    frame[2] = NULL;
    fiber->stack_pointer = frame;
}
#else
static inline void fiber_switch(void **save, void *to)
{
    ucontext_t here;
    *save = &here;
    swapcontext(&here, to);
}

static void fiber_prepare(struct umsim_fiber *fiber, char *stack, void (*start)(void))
{
    ucontext_t *context = (ucontext_t *)(stack + 64); /* above the canary, below the stack's reach */
    getcontext(context);
    context->uc_stack.ss_sp = stack + 64 + sizeof *context;
    context->uc_stack.ss_size = UMSIM_FIBER_STACK - 64 - sizeof *context;
    makecontext(context, start, 0);
    fiber->stack_pointer = context;
}
#endif

static inline __attribute__((always_inline)) void go_on_with(struct umsim_worker *worker,
                                                             struct umsim_fiber *fiber)
{
    worker->current = fiber;
    umsim_builtins.thread_index = fiber->index;
}

/* A thread's whole life. It leaves the ring at its end; the last one goes back to the worker. */
static void fiber_main(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_fiber *me = worker->current;
    const struct umsim_command *command = worker->command;
    command->kernel.thread(command->closure, &command->geometry, &worker->block_index, &me->index);
    struct umsim_fiber *next = me->next;
    if (next == me) {
        worker->current = NULL;
        fiber_switch(&me->stack_pointer, worker->scheduler_stack_pointer);
    } else {
        me->previous->next = next;
        next->previous = me->previous;
        go_on_with(worker, next);
        fiber_switch(&me->stack_pointer, next->stack_pointer);
    }
    __builtin_unreachable();
}

void umsim_fibers_run_block(struct umsim_worker *worker)
{
    const dim3 block = worker->command->geometry.block;
    const size_t threads = worker->command->threads_a_block;
    for (size_t i = 0; i < threads; i++) {
        struct umsim_fiber *fiber = &worker->fibers[i];
        fiber->index = (uint3){(unsigned)(i % block.x), (unsigned)(i / block.x % block.y),
                               (unsigned)(i / block.x / block.y)};
        fiber->generation = 0;
        fiber->next = &worker->fibers[(i + 1) % threads];
        fiber->previous = &worker->fibers[(i + threads - 1) % threads];
        *(uint64_t *)stack_of(worker, i) = CANARY;
        fiber_prepare(fiber, stack_of(worker, i), fiber_main);
    }
    worker->generation = 0;
    worker->count[0] = worker->count[1] = 0;
    go_on_with(worker, &worker->fibers[0]);
    fiber_switch(&worker->scheduler_stack_pointer, worker->fibers[0].stack_pointer);
    for (size_t i = 0; i < threads; i++)
        if (*(uint64_t *)stack_of(worker, i) != CANARY)
            umsim_gpu_fail(worker, cudaErrorLaunchFailure,
                           "used more than the 64 KiB of stack that a thread has");
}

__attribute__((noinline)) void umsim_syncthreads(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_fiber *me = worker->current;
    if (!me)
        umsim_gpu_fail(worker, cudaErrorLaunchFailure,
                       "reached a barrier that umcc did not see (through a function pointer, perhaps)");
    struct umsim_fiber *next = me->next;
    if (next == me)
        return;
    go_on_with(worker, next);
    fiber_switch(&me->stack_pointer, next->stack_pointer);
}

/* Counts of consecutive barriers are kept apart: a thread may reach the next before all have read this one's. */
int umsim_syncthreads_count(int predicate)
{
    struct umsim_worker *worker = umsim_this_worker;
    unsigned generation = ++worker->current->generation;
    unsigned *count = &worker->count[generation % 2];
    if (worker->generation < generation) {
        worker->generation = generation;
        *count = 0;
    }
    *count += predicate != 0;
    umsim_syncthreads();
    return (int)*count;
}
