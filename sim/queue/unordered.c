/**
 * @file unordered.c
 * @brief Implementation of unordered.h: a bit for each kernel or copy that has not run.
 */
#include "unordered.h"
#include "../base/mode.h"

#define BITS 64

static struct entry {
    struct umsim_op *op;                            /* held; NULL: the bit is free */
    struct umsim_unordered *its;                    /* of a kernel; else NULL */
    struct umsim_moved moved;                       /* of a copy */
    struct umsim_moved beside[UMSIM_UNORDERED_MAX]; /* of a kernel: the copies that it is unordered with */
    unsigned beside_count;
} entries[BITS];

bool umsim_unordered_asked(void)
{
    return (umsim_checks & UMSIM_CHECK_HOST) && (umsim_checks & UMSIM_CHECK_RACE);
}

static bool has_run(const struct umsim_op *op)
{
    return op->state >= UMSIM_OP_RAN;
}

static struct entry *entry_of(const struct umsim_op *op)
{
    return op->own ? &entries[__builtin_ctzll(op->own)] : NULL;
}

static struct entry *begin(struct umsim_op *op)
{
    for (int i = 0; i < BITS; i++) {
        struct entry *it = &entries[i];
        if (it->op && has_run(it->op)) {
            umsim_op_drop(it->op);
            it->op = NULL;
        }
        if (it->op || op->own)
            continue;
        it->op = umsim_op_hold(op);
        it->its = NULL;
        it->beside_count = 0;
        op->own = UINT64_C(1) << i;
    }
    return entry_of(op);
}

void umsim_unordered_begin(struct umsim_op *op, struct umsim_unordered *its)
{
    struct entry *it = begin(op);
    if (it)
        it->its = its;
}

void umsim_unordered_begin_moved(struct umsim_op *op, const struct umsim_moved *moved)
{
    struct entry *it = begin(op);
    if (it)
        it->moved = *moved;
}

static void note(struct umsim_unordered *its, uint64_t number)
{
    if (its->count < UMSIM_UNORDERED_MAX)
        its->number[its->count++] = number;
}

static void note_moved(struct entry *kernel, const struct entry *copy)
{
    if (kernel->beside_count < UMSIM_UNORDERED_MAX)
        kernel->beside[kernel->beside_count++] = copy->moved;
}

static void note_pair(struct entry *last, struct entry *other)
{
    if (last->its && other->its) {
        note(last->its, other->op->number);
        note(other->its, last->op->number);
    } else if (last->its) {
        note_moved(last, other);
    } else if (other->its) {
        note_moved(other, last);
    } else {
        umsim_beside_moved(&last->moved, &other->moved);
    }
}

void umsim_unordered_issued(const struct umsim_op *op)
{
    struct entry *it = entry_of(op);
    for (int i = 0; i < BITS && it; i++) {
        const struct umsim_op *other = entries[i].op;
        if (other && other != op && !has_run(other) && !(op->before >> i & 1))
            note_pair(it, &entries[i]);
    }
}

void umsim_unordered_ended(const struct umsim_op *op, unsigned slot, const char *kernel, const void *launched)
{
    const struct entry *it = entry_of(op);
    for (unsigned i = 0; it && it->op == op && i < it->beside_count; i++)
        umsim_beside_kernel(&it->beside[i], slot, kernel, launched);
}
