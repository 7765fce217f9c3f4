/**
 * @file access.h
 * @brief What a SIGSEGV's machine state says about the access that caused it.
 */
#ifndef UMSIM_ACCESS_H
#define UMSIM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>
#if defined(__aarch64__)
#include <asm/sigcontext.h>
#endif

struct umsim_access {
    bool known, is_write;
};

/**
 * Whether an instruction of arm64 reads and writes at once: the atomic memory operations, swaps, comparisons
 * with exchange (FEAT_LSE). Where a read would fault, too, the processor says of them that they read (Arm
 * ARM, ESR_ELx, WnR of a data abort), and x86-64's that they write. An exclusive load is a read: the store is
 * another instruction. Encodings: Arm ARM, "Atomic memory operations" (of which opc 100 with o3 is LDAPR, a
 * load), "Compare and swap".
 */
static inline bool umsim_is_read_and_write(uint32_t instruction)
{
    const bool is_operation = (instruction & 0x3b200c00) == 0x38200000,
               is_load = (instruction & 0xf000) == 0xc000,
               is_exchange = (instruction & 0x3fa07c00) == 0x08a07c00,
               is_exchange_of_pairs = (instruction & 0xbfa07c00) == 0x08207c00;
    return (is_operation && !is_load) || is_exchange || is_exchange_of_pairs;
}

static inline struct umsim_access umsim_access_of(const void *context)
{
#if defined(__x86_64__)
    enum { PAGE_FAULT_WRITE = 2 }; /* bit 1 of the page fault's error code (Intel SDM vol. 3, 4.7) */
    const ucontext_t *machine = context;
    return (struct umsim_access){true, (machine->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE) != 0};
#elif defined(__aarch64__)
    /* Arm ARM, ESR_EL1: the exception class of a data abort from a program, and of its syndrome WnR and CM.
     * Linux puts the register into a record behind the others (Documentation/arm64, uapi/asm/sigcontext.h).
     */
    enum { DATA_ABORT = 0x24, WRITE_NOT_READ = 1 << 6, CACHE_MAINTENANCE = 1 << 8 };
    const ucontext_t *machine = context;
    const unsigned char *at = machine->uc_mcontext.__reserved,
                        *end = at + sizeof machine->uc_mcontext.__reserved;
    const struct _aarch64_ctx *record;
    for (; at + sizeof(struct esr_context) <= end; at += record->size) {
        record = (const struct _aarch64_ctx *)(const void *)at;
        if (record->magic == ESR_MAGIC) {
            const unsigned long long esr = ((const struct esr_context *)(const void *)at)->esr;
            const bool is_data = (esr >> 26 & 0x3f) == DATA_ABORT,
                       is_write = (esr & (WRITE_NOT_READ | CACHE_MAINTENANCE)) == WRITE_NOT_READ;
            const uint32_t *pc = (const uint32_t *)(uintptr_t)machine->uc_mcontext.pc;
            return (struct umsim_access){is_data, is_data && (is_write || umsim_is_read_and_write(*pc))};
        }
        if (record->magic == 0 || record->size < sizeof *record)
            break;
    }
    return (struct umsim_access){false, true};
#else
#error "what a page fault says of its access is known of x86-64 and of arm64"
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
