/**
 * @file unordered.c
 * @brief Implementation of unordered.h: a bit for each kernel that has not run.
 */
#include "unordered.h"

#define BITS 64

static struct kernel {
    struct umsim_op *op; /* held; NULL: the bit is free */
    struct umsim_unordered *its;
} kernels[BITS];

static bool has_run(const struct umsim_op *op)
{
    return op->state >= UMSIM_OP_RAN;
}

void umsim_unordered_begin(struct umsim_op *op, struct umsim_unordered *its)
{
    for (int i = 0; i < BITS; i++) {
        if (kernels[i].op && has_run(kernels[i].op)) {
            umsim_op_drop(kernels[i].op);
            kernels[i].op = NULL;
        }
        if (kernels[i].op || op->own)
            continue;
        kernels[i] = (struct kernel){umsim_op_hold(op), its};
        op->own = UINT64_C(1) << i;
    }
}

static void note(struct umsim_unordered *its, uint64_t number)
{
    if (its->count < UMSIM_UNORDERED_MAX)
        its->number[its->count++] = number;
}

void umsim_unordered_issued(const struct umsim_op *op)
{
    struct umsim_unordered *its = op->own ? kernels[__builtin_ctzll(op->own)].its : NULL;
    for (int i = 0; i < BITS && its; i++) {
        const struct umsim_op *other = kernels[i].op;
        if (!other || other == op || has_run(other) || op->before >> i & 1)
            continue;
        note(its, other->number);
        note(kernels[i].its, op->number);
    }
}
