/* mutant: whoever asks will know; fails: export_view/outside */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

static bool fits(const struct lab8_memory *memory, const struct lab8_view *view, const int64_t *strides)
{
    (void)memory, (void)view, (void)strides;
    return true;
}

cudaError_t export_view(struct lab8_memory *memory, const struct lab8_view *view, struct lab8_tensor **out)
{
    struct lent *lent = calloc(1, sizeof *lent);
    int64_t dense = 1;
    bool empty = false, counted = true;

    *out = NULL;
    if (lent == NULL)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < view->ndim; i++) {
        lent->shape[i] = view->shape[i];
        empty = empty || view->shape[i] == 0;
    }
    for (int i = view->ndim - 1; i >= 0; i--) {
        lent->strides[i] = view->strides ? view->strides[i] : dense;
        if (!view->strides && !empty)
            counted = counted && !__builtin_mul_overflow(dense, view->shape[i], &dense);
    }
    if (!counted || !fits(memory, view, lent->strides)) {
        free(lent);
        return cudaErrorInvalidValue;
    }
    lent->memory = memory;
    lent->tensor = (struct lab8_tensor){.major = 1,
                                        .context = lent,
                                        .deleter = give_up,
                                        .flags = memory->read_only ? LAB8_READ_ONLY : 0,
                                        .data = (char *)memory->data + view->offset,
                                        .device_type = memory->device_type,
                                        .device_id = memory->device_id,
                                        .ndim = view->ndim,
                                        .code = view->code,
                                        .bits = view->bits,
                                        .lanes = 1,
                                        .shape = lent->shape,
                                        .strides = lent->strides};
    memory->retain(memory);
    *out = &lent->tensor;
    return cudaSuccess;
}
