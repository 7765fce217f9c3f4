/**
 * @file one_stack.c
 * @brief Implementation of one_stack.h: what a thread has on the stack is kept while others run.
 */
#include "one_stack.h"
#include "fiber.h"
#include "switch.h"
#include "../worker/stacks.h"

#define LINE ((size_t)64)

/* Whole lines of the host's cache: what is read of a line soon after it was copied is there at once then. */
static inline char *low_of(const struct umsim_fiber *it)
{
    return (char *)((uintptr_t)it->stack_pointer & ~(LINE - 1));
}

size_t umsim_one_stack_bytes(const struct umsim_worker *worker, const struct umsim_fiber *thread)
{
    return thread->kept ? (size_t)(umsim_stack_high(worker, 0) - low_of(thread)) : 0;
}

#ifdef __x86_64__
_Static_assert(offsetof(struct umsim_worker, current) == 0 &&
                   offsetof(struct umsim_worker, scheduler_stack_pointer) == 8 &&
                   offsetof(struct umsim_worker, one_stack) == 16 &&
                   offsetof(struct umsim_fiber, stack_pointer) == 0 &&
                   offsetof(struct umsim_fiber, registers) == 8 && sizeof(struct umsim_registers) == 56,
               "the assembly below says so");

/* rdi, rsi: the place of a barrier, or 0: another wait. They come to the worker as they are. */
__asm__(".text\n"
        ".globl umsim_syncthreads\n"
        ".type umsim_syncthreads, @function\n"
        "umsim_syncthreads:\n\t"
        ".cfi_startproc\n\t"
        "movq umsim_this_worker@gottpoff(%rip), %rax\n\t"
        "movq %fs:(%rax), %rax\n\t"
        "cmpq $0, (%rax)\n\t"
        "je 2f\n\t"
        "cmpb $0, 16(%rax)\n\t"
        "jne 1f\n"
        "2:\n\t"
        "jmp umsim_fiber_syncthreads\n\t"
        ".cfi_endproc\n"
        ".size umsim_syncthreads, .-umsim_syncthreads\n"
        ".globl umsim_one_stack_leave\n"
        ".hidden umsim_one_stack_leave\n"
        ".type umsim_one_stack_leave, @function\n"
        "umsim_one_stack_leave:\n\t"
        ".cfi_startproc\n\t"
        "movq umsim_this_worker@gottpoff(%rip), %rax\n\t"
        "movq %fs:(%rax), %rax\n\t"
        "xorl %edi, %edi\n"
        "1:\n\t"
        "movq (%rax), %rdx\n\t"
        "popq %rcx\n\t"
        "movq %rsp, (%rdx)\n\t"
        "movq %rcx, 8(%rdx)\n\t"
        "movq %rbx, 16(%rdx)\n\t"
        "movq %rbp, 24(%rdx)\n\t"
        "movq %r12, 32(%rdx)\n\t"
        "movq %r13, 40(%rdx)\n\t"
        "movq %r14, 48(%rdx)\n\t"
        "movq %r15, 56(%rdx)\n\t"
        "movq 8(%rax), %rsp\n\t"
        "popq %rax\n\t"
        "jmp *%rax\n\t"
        ".cfi_endproc\n"
        ".size umsim_one_stack_leave, .-umsim_one_stack_leave\n");

/* The thread goes on until its turn ends. @return the barrier's file; NULL if it waits for something else */
static inline __attribute__((always_inline)) const char *go_on(struct umsim_worker *worker,
                                                               const struct umsim_fiber *it, int *line)
{
    const char *file;
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rbp\n\t"
                     "pushq %%rbx\n\t"
                     "pushq %%rax\n\t"
                     "movq %%rsp, 8(%%rdi)\n\t"
                     "movq (%%rsi), %%rsp\n\t"
                     "movq 16(%%rsi), %%rbx\n\t"
                     "movq 24(%%rsi), %%rbp\n\t"
                     "movq 32(%%rsi), %%r12\n\t"
                     "movq 40(%%rsi), %%r13\n\t"
                     "movq 48(%%rsi), %%r14\n\t"
                     "movq 56(%%rsi), %%r15\n\t"
                     "jmp *8(%%rsi)\n"
                     "1:\n\t"
                     "popq %%rbx\n\t"
                     "popq %%rbp\n\t"
                     : "=D"(file), "=S"(*line)
                     : "D"(worker), "S"(it)
                     : UMSIM_SWITCH_LOSES);
    return file;
}

static inline void copy_lines(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        __builtin_memcpy(to + i, from + i, LINE);
}

static __attribute__((noinline)) void make_space(const struct umsim_worker *worker, struct umsim_fiber *it,
                                                 size_t used)
{
    it->kept_bytes = !it->kept && used <= UMSIM_KEPT_STACK ? used
                     : used <= UMSIM_KEPT_MORE             ? UMSIM_KEPT_MORE
                                                           : worker->slot_bytes;
    it->kept = umsim_keep(it->kept_bytes, LINE);
}

static inline void keep(const struct umsim_worker *worker, struct umsim_fiber *it, const char *high)
{
    const size_t used = (size_t)(high - low_of(it));
    if (__builtin_expect(used > it->kept_bytes, 0))
        make_space(worker, it, used);
    copy_lines(it->kept, low_of(it), used);
}

static inline void put_back(struct umsim_fiber *it, char *high)
{
    if (it->kept) {
        copy_lines(low_of(it), it->kept, (size_t)(high - low_of(it)));
    } else {
        it->stack_pointer = high;
        it->registers.goes_on = umsim_thread_begins;
    }
}

/* The thread is the current one. @return it, or one that has to run before it */
static inline struct umsim_fiber *make_current(struct umsim_worker *worker, struct umsim_fiber *next)
{
    umsim_fiber_make_current(worker, next);
    while (__builtin_expect(next->generation == worker->generation && worker->released != worker->generation,
                            0)) {
        struct umsim_fiber *other = umsim_one_stack_released(worker, next);
        if (other != next)
            umsim_fiber_make_current(worker, next = other);
    }
    return next;
}

/* The thread will run soon. */
static inline void fetch(const struct umsim_fiber *it)
{
    __builtin_prefetch(it);
    __builtin_prefetch(&it->generation);
}

/* What a thread has just done is looked at before its stack is: by then the host has written what it was to
 * push there, and can read more than a word of it at a time. */
void umsim_one_stack_run(struct umsim_worker *worker, struct umsim_fiber *first)
{
    char *const high = umsim_stack_high(worker, 0);
    struct umsim_fiber *it = make_current(worker, first), *next;
    for (put_back(it, high); it; it = next) {
        int line;
        const char *file = go_on(worker, it, &line);
        if (file)
            umsim_one_stack_at_barrier(worker, file, line);
        next = worker->goes_on;
        if (next) {
            next = make_current(worker, next);
            fetch(next->next);
        }
        if (it->warp->alive >> it->lane & 1)
            keep(worker, it, high);
        if (next)
            put_back(next, high);
    }
    worker->current = NULL;
}
#else
void umsim_one_stack_run(struct umsim_worker *worker, struct umsim_fiber *first)
{
    (void)worker, (void)first;
}

void umsim_one_stack_leave(void)
{
}
#endif
