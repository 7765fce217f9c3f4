/**
 * @file transfers.c
 * @brief Implementation of transfers.h: a ring of notes.
 */
#include "transfers.h"

#define KEPT 64

static struct umsim_transfer_note notes[KEPT];
static unsigned count;

void umsim_transfer_note(uintptr_t to, size_t bytes, struct umsim_check_asked asked)
{
    notes[count++ % KEPT] = (struct umsim_transfer_note){to, bytes, asked};
}

void umsim_transfers_forget(uintptr_t base, size_t bytes)
{
    for (unsigned i = 0; i < KEPT; i++)
        if (notes[i].to - base < bytes)
            notes[i].bytes = 0;
}

const struct umsim_transfer_note *umsim_transfer_before(uintptr_t base, uintptr_t p)
{
    const struct umsim_transfer_note *found = NULL;
    for (unsigned i = 0; i < KEPT && i < count; i++) {
        const struct umsim_transfer_note *it = &notes[(count - 1 - i) % KEPT];
        if (!it->bytes || it->to < base || it->to >= p)
            continue;
        if (it->to != base || it->to + it->bytes > p)
            return NULL;
        if (!found)
            found = it;
    }
    return found;
}
