/**
 * @file switch.h
 * @brief How a thread of a block leaves its stack, and another one goes on: in assembly.
 *
 * GPU process only.
 *
 * The switch ends in a jump: a return to another stack's address defeats the processor's return prediction
 * and costs three times as much (18 to 21 ns against 6 to 8, measured on a 2-core virtual machine with
 * x86-64). Files that include this are compiled without a red zone (Makefile): nothing below the stack
 * pointer is in use.
 */
#ifndef UMSIM_SWITCH_H
#define UMSIM_SWITCH_H

#include <stddef.h>
#include <stdint.h>

/** A thread's life: it begins with no more on its stack than the return from the first of two functions
 * (fiber.c), its kernel's form. Behind that it ends. C calls none of them. */
void umsim_thread_begins(void);
void umsim_thread_runs(void);
__attribute__((noreturn)) void umsim_thread_ends(void);

#if defined(__x86_64__)
#ifdef __AVX512F__
#define UMSIM_SWITCH_LOSES_MORE                                                                              \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",     \
        "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define UMSIM_SWITCH_LOSES_MORE
#endif
/** What a thread finds changed when it goes on: the compiler saves what it needs of these. */
#define UMSIM_SWITCH_LOSES                                                                                   \
    "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0",       \
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",   \
        "xmm13", "xmm14", "xmm15" UMSIM_SWITCH_LOSES_MORE

/** Saves rbx, rbp and where to go on in `*save`, and goes on where `to` was saved. Everything else is
 * declared lost, so the compiler saves what it needs. */
static inline __attribute__((always_inline)) void umsim_switch(void **save, void *to)
{
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rbp\n\t"
                     "pushq %%rbx\n\t"
                     "pushq %%rax\n\t"
                     "movq %%rsp, (%0)\n\t"
                     "movq %1, %%rsp\n\t"
                     "popq %%rax\n\t"
                     "popq %%rbx\n\t"
                     "popq %%rbp\n\t"
                     "jmp *%%rax\n"
                     "1:"
                     : "+D"(save), "+S"(to)
                     :
                     : UMSIM_SWITCH_LOSES);
}

/** @return what umsim_switch() takes for a thread that has not begun, whose stack ends at `high` */
static inline void *umsim_switch_prepare(char *high)
{
    void **frame = (void **)((uintptr_t)high & ~(uintptr_t)15) - 3; /* what the switch takes */
    frame[0] = (void *)umsim_thread_begins;
    frame[1] = frame[2] = NULL;
    return frame;
}
#elif defined(__aarch64__)
/** Saves x29 (the frame) and where to go on; everything else is declared lost. The jump is by x16, so that it
 * may also lead to a function's beginning where branches are guarded (BTI); `hint #36` is what they may lead
 * to. */
static inline __attribute__((always_inline)) void umsim_switch(void **save, void *to)
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

static inline void *umsim_switch_prepare(char *high)
{
    void **frame = (void **)((uintptr_t)high & ~(uintptr_t)15) - 2; /* what the switch takes */
    frame[0] = NULL;
    frame[1] = (void *)umsim_thread_begins;
    return frame;
}
#else
#error "umlab's simulator knows how to switch stacks on x86-64 and on arm64"
#endif

#endif
