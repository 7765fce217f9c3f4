/**
 * @file fragments.c
 * @brief Implementation of fragments.h: a count of parts for each block, and a ring of the blocks that are in
 * parts.
 *
 * Callers hold a lock.
 */
#include "fragments.h"

#include <stdio.h>

/** Mappings that are left to the program and its libraries (Python with a large framework has about
 * 3,000). */
#define SPARE 12000u
/** Enough for any program that is not written to need more, and quick for the kernel to walk through. */
#define LIMIT_MAX 24000u
#define LIMIT_MIN 64u

/* A block's count, and whether the block is in the ring. It is in the ring once, however often it is closed
 * and opened. */
#define QUEUED 0x8000u
#define COUNT 0x7fffu

void umsim_fragments_start(struct umsim_fragments *account)
{
    unsigned allowed = 65530; /* the kernel's default */
    FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
    if (file && fscanf(file, "%u", &allowed) != 1)
        allowed = 65530;
    if (file)
        fclose(file);
    /* opening a part splits one mapping into three */
    unsigned limit = allowed > SPARE ? (allowed - SPARE) / 2 : 0;
    limit = limit > LIMIT_MAX ? LIMIT_MAX : limit < LIMIT_MIN ? LIMIT_MIN : limit;
    account->limit = limit;
    umsim_fragments_forget(account);
}

void umsim_fragments_forget(struct umsim_fragments *account)
{
    account->total = account->head = account->tail = 0;
}

/* The block that has been in the ring longest and is in parts. @return false when there is none */
static bool take_victim(struct umsim_fragments *account, struct umsim_fragmented *victim)
{
    while (account->head != account->tail) {
        *victim = account->ring[account->head++ % UMSIM_FRAGMENTED_MAX];
        *victim->parts &= COUNT;
        if (*victim->parts)
            return true;
    }
    return false;
}

bool umsim_fragments_opened(struct umsim_fragments *account, struct umsim_fragmented opened, unsigned whole,
                            struct umsim_fragmented *victim)
{
    unsigned before = *opened.parts & COUNT, after = whole ? whole : before < COUNT ? before + 1 : COUNT;
    bool queued = *opened.parts & QUEUED;
    bool full = !queued && account->tail - account->head == UMSIM_FRAGMENTED_MAX;
    account->total += after - before;
    bool has_victim = (full || account->total > account->limit) && take_victim(account, victim);
    if (!queued || (has_victim && victim->parts == opened.parts))
        account->ring[account->tail++ % UMSIM_FRAGMENTED_MAX] = opened;
    *opened.parts = (uint16_t)(QUEUED | after);
    return has_victim;
}

void umsim_fragments_closed(struct umsim_fragments *account, uint16_t *parts, unsigned left)
{
    account->total += left - (*parts & COUNT);
    *parts = (uint16_t)((*parts & QUEUED) | left);
}

void umsim_fragments_drop(struct umsim_fragments *account, uint32_t space)
{
    const unsigned end = account->tail;
    unsigned left = account->head;
    for (unsigned i = account->head; i != end; i++) {
        const struct umsim_fragmented it = account->ring[i % UMSIM_FRAGMENTED_MAX];
        if (it.space != space)
            account->ring[left++ % UMSIM_FRAGMENTED_MAX] = it;
    }
    account->tail = left;
}
