/**
 * @file coalesce.h
 * @brief Counts the bytes that the threads of a warp ask for, and the 32-byte sectors that have to be moved
 * for them.
 *
 * On a GPU a warp's request is one instruction that its lanes run together. Here lanes run one after another,
 * so their accesses are put together afterwards: the k-th time that each lane of a warp comes to one place in
 * the program makes one request. Where lanes go round a loop different numbers of times, a GPU does the same
 * as long as the lanes stay together. Caches are left out, as in a profiler's count of sectors per request.
 * Accesses of more than 16 bytes count as requests of 16 bytes each.
 */
#ifndef UMSIM_CHECK_COALESCE_H
#define UMSIM_CHECK_COALESCE_H

#include "../include/umsim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An account of the table: an allocation, or a module's variables. */
struct umsim_account {
    const char *name;   /* the call that made it, or the variable's name */
    const void *caller; /* where the call returned to, or NULL */
    uintptr_t base;
    size_t bytes;
};

/** One line of the table. */
struct umsim_coalescing {
    unsigned account;
    bool is_write;
    char kernel[64];
    uint64_t requests, sectors, bytes;
};

/** Host process, before the fork. */
bool umsim_coalesce_start(void);
/** Host process: opens an account for new memory.
 * @return 0 when there are too many */
unsigned umsim_coalesce_open(const struct umsim_account *account);
/** Host process: the lines so far; `skipped`: accesses that were left out, because a block made more than are
 * kept. */
size_t umsim_coalesce_lines(const struct umsim_coalescing **lines, uint64_t *skipped);
const struct umsim_account *umsim_coalesce_account(unsigned account);

/** GPU process: the current thread makes an access; a block of the kernel ends. */
void umsim_coalesce_access(unsigned account, uintptr_t p, size_t bytes, bool is_write, const void *pc);
void umsim_coalesce_block_ends(void);

/** GPU process: a launch has ended. Replaces the bytes that it moved, so far counted by pages, by its
 * sectors. What the caches would have saved is not known, so this is the most that it can have been. Does
 * nothing where nothing is counted. */
struct umsim_measured;
void umsim_coalesce_launched(struct umsim_measured *measured);

#endif
