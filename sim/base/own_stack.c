/**
 * @file own_stack.c
 * @brief Implementation of own_stack.h: a few stacks, made when they are needed, that threads take in turns.
 *
 * The stacks belong to no thread, because nothing async-signal-safe tells of a thread's end. A thread keeps
 * one for the time of one fault, so there are never many in use.
 */
#include "own_stack.h"
#include "../base/layout.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum { STACKS = 32, STACK_BYTES = 256 << 10 };

static atomic_uint taken; /* a bit for each */
static _Atomic(char *) stacks[STACKS];

/* Calls work(argument) with the stack pointer `top`. The caller's frame is found by rbp (or x29), so that a
 * debugger's backtrace goes on there. Where that stack has the lower address, gdb believes it only of a
 * function with this name, which gcc's split stacks use. */
void umsim_switch_stack(void *top, void (*work)(void *), void *argument) __asm__("__morestack")
    __attribute__((visibility("hidden")));
#if defined(__x86_64__)
__asm__(".text\n"
        ".type __morestack, @function\n"
        "__morestack:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "movq %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "movq %rdi, %rsp\n"
        "movq %rdx, %rdi\n"
        "call *%rsi\n"
        "leave\n"
        ".cfi_def_cfa %rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size __morestack, . - __morestack\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".type __morestack, %function\n"
        "__morestack:\n"
        ".cfi_startproc\n"
        "stp x29, x30, [sp, #-16]!\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset x29, -16\n"
        ".cfi_offset x30, -8\n"
        "mov x29, sp\n"
        ".cfi_def_cfa_register x29\n"
        "mov sp, x0\n"
        "mov x0, x2\n"
        "blr x1\n"
        "mov sp, x29\n"
        "ldp x29, x30, [sp], #16\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size __morestack, . - __morestack\n");
#else
void umsim_switch_stack(void *top, void (*work)(void *), void *argument)
{
    (void)top;
    work(argument);
}
#endif

/* @return its number */
static unsigned take(void)
{
    for (unsigned seen = atomic_load(&taken);;) {
        const unsigned i = seen == ~0u ? 0 : (unsigned)__builtin_ctz(~seen);
        if (seen == ~0u) {
            sched_yield();
            seen = atomic_load(&taken);
        } else if (atomic_compare_exchange_weak(&taken, &seen, seen | 1u << i)) {
            return i;
        }
    }
}

/* Whoever has taken it is alone with it. @return its lower end, NULL if there is no memory */
static char *memory_of(unsigned number)
{
    char *p = atomic_load(&stacks[number]);
    if (p)
        return p;
    p = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    mprotect(p, UMSIM_PAGE, PROT_NONE); /* behind the end of the stack */
    atomic_store(&stacks[number], p);
    return p;
}

void umsim_on_own_stack(void (*work)(void *argument), void *argument)
{
    const unsigned number = take();
    char *stack = memory_of(number);
    if (stack)
        umsim_switch_stack(stack + STACK_BYTES, work, argument);
    else
        work(argument);
    atomic_fetch_and(&taken, ~(1u << number));
}
