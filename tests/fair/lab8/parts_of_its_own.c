/* fair: the tensor, its shape and its strides are three allocations; layouts are computed by recursion */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

static bool round_up(size_t *to, size_t unit)
{
    const size_t rest = *to % unit, more = rest ? unit - rest : 0;

    if (more > SIZE_MAX - *to)
        return false;
    *to += more;
    return true;
}

static bool is_power_of_two(size_t x)
{
    while (x > 1 && x % 2 == 0) {
        x /= 2;
    }
    return x == 1;
}

/* Fields from `i` on; nothing is written unless those behind them are right. */
static bool place(const struct lab8_field *field, size_t i, size_t count, size_t end, size_t widest,
                  size_t *offsets, size_t *bytes)
{
    size_t begin = end;

    if (i == count) {
        if (!round_up(&end, widest))
            return false;
        *bytes = end;
        return true;
    }
    if (!field[i].bytes || !field[i].elements || !is_power_of_two(field[i].alignment) ||
        field[i].bytes % field[i].alignment || field[i].elements > SIZE_MAX / field[i].bytes ||
        !round_up(&begin, field[i].alignment) || field[i].bytes * field[i].elements > SIZE_MAX - begin)
        return false;
    if (!place(field, i + 1, count, begin + field[i].bytes * field[i].elements,
               widest < field[i].alignment ? field[i].alignment : widest, offsets, bytes))
        return false;
    offsets[i] = begin;
    return true;
}

bool record_layout(const struct lab8_field *fields, size_t count, size_t *offsets, size_t *record_bytes)
{
    return count > 0 && place(fields, 0, count, 0, 1, offsets, record_bytes);
}

static void end_of_tensor(struct lab8_tensor *self)
{
    struct lab8_memory *memory = self->context;

    free(self->strides);
    free(self->shape);
    free(self);
    memory->release(memory);
}

/* Bytes in front of the first element and behind its start that elements reach. */
static bool reach(const struct lab8_view *view, const int64_t *strides, unsigned __int128 *front,
                  unsigned __int128 *behind)
{
    const unsigned element = view->bits / 8;

    *front = 0;
    *behind = element;
    for (int i = 0; i < view->ndim; i++) {
        const uint64_t steps = (uint64_t)view->shape[i] - 1;
        const uint64_t stride = strides[i] < 0 ? 0 - (uint64_t)strides[i] : (uint64_t)strides[i];
        const unsigned __int128 far = (unsigned __int128)steps * stride;

        if (far >> 70)
            return false;
        *(strides[i] < 0 ? front : behind) += far * element;
    }
    return true;
}

static bool is_inside(const struct lab8_memory *memory, const struct lab8_view *view, const int64_t *strides)
{
    unsigned __int128 front, behind;

    if (view->offset > memory->bytes)
        return false;
    for (int i = 0; i < view->ndim; i++) {
        if (view->shape[i] == 0)
            return true;
    }
    return reach(view, strides, &front, &behind) && front <= view->offset &&
           behind <= memory->bytes - view->offset;
}

static bool fill(int64_t *shape, int64_t *strides, const struct lab8_view *view)
{
    unsigned __int128 dense = 1;
    bool is_counted = true, is_empty = false;

    for (int i = view->ndim; i-- > 0;) {
        shape[i] = view->shape[i];
        is_empty |= shape[i] == 0;
        strides[i] = view->strides ? view->strides[i] : (int64_t)dense;
        dense *= (uint64_t)(shape[i] ? shape[i] : 1);
        is_counted &= dense <= INT64_MAX;
        dense = is_counted ? dense : 1;
    }
    return is_counted || is_empty || view->strides;
}

cudaError_t export_view(struct lab8_memory *memory, const struct lab8_view *view, struct lab8_tensor **out)
{
    const size_t capacity = (size_t)(view->ndim > 0 ? view->ndim : 1) * sizeof(int64_t);
    struct lab8_tensor *t = malloc(sizeof *t);
    int64_t *shape = malloc(capacity), *strides = malloc(capacity);
    cudaError_t error = t && shape && strides ? cudaSuccess : cudaErrorMemoryAllocation;

    *out = NULL;
    if (error == cudaSuccess && (!fill(shape, strides, view) || !is_inside(memory, view, strides)))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess) {
        free(strides);
        free(shape);
        free(t);
        return error;
    }
    memset(t, 0, sizeof *t);
    t->major = 1;
    t->context = memory;
    t->deleter = end_of_tensor;
    t->flags |= memory->read_only ? LAB8_READ_ONLY : 0;
    t->data = (unsigned char *)memory->data + view->offset;
    t->device_type = memory->device_type, t->device_id = memory->device_id;
    t->ndim = view->ndim, t->shape = shape, t->strides = strides;
    t->code = view->code, t->bits = view->bits, t->lanes = 1;
    memory->retain(memory);
    *out = t;
    return cudaSuccess;
}
