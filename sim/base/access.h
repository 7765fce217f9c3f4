/**
 * @file access.h
 * @brief What a SIGSEGV's machine state says about the access that caused it.
 */
#ifndef UMSIM_ACCESS_H
#define UMSIM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct umsim_access {
    bool known, is_write;
};

static inline struct umsim_access umsim_access_of(const void *context)
{
#if defined(__x86_64__)
    enum { PAGE_FAULT_WRITE = 2 }; /* bit 1 of the page fault's error code (Intel SDM vol. 3, 4.7) */
    const ucontext_t *machine = context;
    return (struct umsim_access){true, (machine->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE) != 0};
#else
    (void)
        /* on arm64 the kernel reports this in an ESR record; until that is read, every access counts as a
         * write */
        context;
    return (struct umsim_access){false, true};
#endif
}

/** The stack pointer at the access. */
static inline uintptr_t umsim_access_stack(const void *context)
{
    const ucontext_t *machine = context;
#if defined(__x86_64__)
    return (uintptr_t)machine->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)machine->uc_mcontext.sp;
#endif
}

/** The instruction that made the access. */
static inline const void *umsim_access_pc(const void *context)
{
    const ucontext_t *machine = context;
#if defined(__x86_64__)
    return (const void *)machine->uc_mcontext.gregs[REG_RIP];
#else
    return (const void *)machine->uc_mcontext.pc;
#endif
}

#endif
