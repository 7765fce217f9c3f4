/**
 * @file protection_account.c
 * @brief Implementation of protection_account.h: changes protections and keeps the account of mappings.
 *
 * Async-signal-safe, except for the start.
 */
#include "protection_account.h"
#include "protection.h"
#include "views.h"
#include "../base/layout.h"

#include <string.h>
#include <sys/mman.h>

_Static_assert(UMSIM_VA_BLOCK / UMSIM_BIG_PAGE == 32, "a block's units fit the masks");

void umsim_protection_start(struct umsim_protection *opened, unsigned side)
{
    opened->side = side;
    umsim_fragments_start(&opened->fragments);
}

static struct umsim_block_protection *account_of(const struct umsim_protection *opened,
                                                 const struct umsim_managed_space *space, size_t block)
{
    return &space->opened[opened->side][block];
}

/* The units that [start, start + bytes) touches, as bits of their block. */
static uint32_t units_of(const struct umsim_managed_space *space, const char *start, size_t bytes)
{
    const size_t first = (size_t)(start - space->base) % UMSIM_VA_BLOCK / UMSIM_BIG_PAGE;
    const size_t last = (size_t)(start + bytes - 1 - space->base) % UMSIM_VA_BLOCK / UMSIM_BIG_PAGE;
    return (UINT32_MAX >> (31 - (last - first))) << first;
}

/* The number of mappings that separate units add to a closed block. */
static unsigned runs(uint32_t units)
{
    return (unsigned)__builtin_popcount(units & ~(units << 1));
}

/* What is opened for the second time stays a separate mapping if it consists of whole units, in which `apart`
 * counts. */
static void keep_apart(const struct umsim_managed_space *space, struct umsim_block_protection *account,
                       char *start, size_t bytes)
{
    const uint32_t units = units_of(space, start, bytes);
    const bool again = units & account->before,
               is_whole_units = ((size_t)(start - space->base) | bytes) % UMSIM_BIG_PAGE == 0;
    if (again && is_whole_units && (units & ~account->apart) && madvise(start, bytes, MADV_RANDOM) == 0)
        account->apart |= units;
    account->before |= units;
}

static bool covers_block(const struct umsim_managed_space *space, size_t block, size_t bytes)
{
    size_t whole;
    umsim_space_blocks(space, block, block + 1, &whole);
    return bytes == whole;
}

/* Closes the block and makes it one mapping again. */
static void join(struct umsim_protection *opened, struct umsim_managed_space *space, size_t block)
{
    struct umsim_block_protection *account = account_of(opened, space, block);
    size_t bytes;
    char *start = umsim_space_blocks(space, block, block + 1, &bytes);
    mprotect(start, bytes, PROT_NONE);
    if (account->apart)
        madvise(start, bytes, MADV_NORMAL);
    atomic_store(&account->open, 0);
    account->before = account->apart = 0;
    umsim_fragments_closed(&opened->fragments, &account->parts, 0);
}

/* After an opening: keeps the process's mappings within the kernel's limit. */
static void count_parts(struct umsim_protection *opened, struct umsim_managed_space *space, size_t block,
                        bool whole)
{
    struct umsim_block_protection *account = account_of(opened, space, block);
    struct umsim_fragmented victim,
        this = {(uint32_t)(space - umsim_views->space), (uint32_t)block, &account->parts};
    if (umsim_fragments_opened(&opened->fragments, this, whole ? 1 + runs(account->apart) : 0, &victim))
        join(opened, &umsim_views->space[victim.space], victim.block);
}

void umsim_protection_reset(struct umsim_protection *opened)
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->spaces); i++) {
        struct umsim_managed_space *space = &umsim_views->space[i];
        if (!space->bytes)
            continue;
        mprotect(space->base, space->bytes, PROT_NONE);
        madvise(space->base, space->bytes, MADV_NORMAL);
        memset(space->opened[opened->side], 0, space->opened_end[opened->side] * sizeof **space->opened);
    }
    umsim_fragments_forget(&opened->fragments);
}

void umsim_protection_forget(struct umsim_protection *opened, struct umsim_managed_space *space)
{
    for (size_t block = 0; block < space->opened_end[opened->side]; block++)
        join(opened, space, block);
    umsim_fragments_drop(&opened->fragments, (uint32_t)(space - umsim_views->space));
}

bool umsim_protection_add(struct umsim_protection *opened, struct umsim_managed_space *space, char *start,
                          size_t bytes, int protection)
{
    const size_t block = umsim_space_block(space, start);
    const bool whole = covers_block(space, block, bytes);
    struct umsim_block_protection *account = account_of(opened, space, block);
    if (space->opened_end[opened->side] <= block)
        space->opened_end[opened->side] = block + 1;
    /* comes first, because the policy reads the GPU process's account without a lock */
    atomic_store(&account->open, 1);
    if (mprotect(start, bytes, protection) != 0) {
        umsim_protection_reset(opened);
        atomic_store(&account->open, 1);
        if (mprotect(start, bytes, protection) != 0)
            return false;
    }
    if (!whole)
        keep_apart(space, account, start, bytes);
    count_parts(opened, space, block, whole);
    return true;
}

/* Closes blocks [first, last) of the process; their accounts say so already. */
static void close_run(struct umsim_managed_space *space, size_t first, size_t last)
{
    size_t bytes;
    char *start = umsim_space_blocks(space, first, last, &bytes);
    if (first < last)
        mprotect(start, bytes, PROT_NONE);
}

static void note_closed(struct umsim_protection *opened, struct umsim_block_protection *account)
{
    atomic_store(&account->open, 0);
    atomic_store(&account->stale, 0);
    umsim_fragments_closed(&opened->fragments, &account->parts, runs(account->apart));
}

void umsim_protection_close(struct umsim_protection *opened, struct umsim_managed_space *space, size_t block)
{
    note_closed(opened, account_of(opened, space, block));
    close_run(space, block, block + 1);
}

void umsim_protection_close_all(struct umsim_protection *opened, struct umsim_managed_space *space,
                                bool only_stale)
{
    size_t first = 0, blocks = space->opened_end[opened->side];
    for (size_t block = 0; block < blocks; block++) {
        struct umsim_block_protection *account = account_of(opened, space, block);
        if (atomic_load(&account->open) && (!only_stale || atomic_load(&account->stale))) {
            note_closed(opened, account);
            continue;
        }
        close_run(space, first, block);
        first = block + 1;
    }
    close_run(space, first, blocks);
}
