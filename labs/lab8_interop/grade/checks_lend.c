/**
 * @file checks_lend.c
 * @brief Lab 8: the checks of export_view().
 *
 * grade/check.h says how checks are written.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/check.h"
#include "interop/um_dlpack.h"

/* What students fill in is what the standard says, and what umlab.py produces. */
#define SAME(mine, theirs)                                                                                   \
    _Static_assert(offsetof(struct lab8_tensor, mine) == offsetof(struct um_dl_versioned, theirs), #mine)
SAME(deleter, deleter);
SAME(flags, flags);
SAME(data, tensor.data);
SAME(device_id, tensor.device.id);
SAME(ndim, tensor.ndim);
SAME(bits, tensor.dtype.bits);
SAME(shape, tensor.shape);
SAME(byte_offset, tensor.byte_offset);

enum { MOST = 64 };
static struct lab8_lending lendings[MOST];
static size_t lending_count;

/* The default view: 3 x 4 floats of a managed allocation, dense, from byte 32 on. */
static struct lab8_lending *lend(void)
{
    struct lab8_lending *it = &lendings[lending_count++];

    *it = (struct lab8_lending){.bytes = 4096,
                                .offset = 32,
                                .device_type = 13,
                                .dense = 1,
                                .ndim = 2,
                                .owner_first = (int32_t)(lending_count % 2),
                                .shape = {3, 4},
                                .strides = {4, 1},
                                .code = 2,
                                .bits = 32};
    return it;
}

/* One dimension, with a stride. */
static struct lab8_lending *lend_row(uint64_t bytes, uint64_t offset, int64_t count, int64_t stride)
{
    struct lab8_lending *it = lend();

    it->bytes = bytes;
    it->offset = offset;
    it->dense = 0;
    it->ndim = 1;
    it->shape[0] = count;
    it->strides[0] = stride;
    return it;
}

/* Lends all, and judges each. */
static void judge_lendings(void judge(const struct lab8_lending *, const struct lab8_lent *))
{
    struct um_try try = {.function = "export_view",
                         .in = lendings,
                         .in_bytes = lending_count * sizeof *lendings,
                         .out_bytes = lending_count * sizeof(struct lab8_lent)};
    const size_t count = lending_count;

    lending_count = 0;
    um_case("%zu views", count);
    if (!um_call(&try))
        return;
    for (size_t i = 0; i < count && !um_has_failed(); i++) {
        const struct lab8_lending *it = &lendings[i];
        struct lab8_lent told;

        memcpy(&told, try.out + i * sizeof told, sizeof told);
        um_case("%d dimensions (%" PRId64 " x %" PRId64 " elements of %d bits, strides %s%" PRId64
                ", %" PRId64 ") from byte %" PRIu64 " of %" PRIu64,
                it->ndim, it->ndim > 0 ? it->shape[0] : 1, it->ndim > 1 ? it->shape[1] : 1, it->bits,
                it->dense ? "NULL, that is " : "", it->strides[0], it->strides[1], it->offset, it->bytes);
        judge(it, &told);
    }
}

static void expect_made(const struct lab8_lent *told)
{
    um_expect(told->error == cudaSuccess && told->made, "cudaSuccess and a tensor", "%s, %s",
              um_error(told->error), told->made ? "a tensor" : "no tensor");
}

static void judge_tensor(const struct lab8_lending *it, const struct lab8_lent *told)
{
    const struct lab8_tensor *t = &told->tensor;

    expect_made(told);
    um_expect(t->byte_offset == 0 && told->begins == (int64_t)it->offset,
              "data at the first element, byte_offset 0",
              "data %" PRId64 " bytes into the memory, byte_offset %" PRIu64, told->begins, t->byte_offset);
    um_expect(t->ndim == it->ndim && told->readable, "the view's dimensions, with shape and strides",
              "%d dimensions%s", t->ndim, told->readable ? "" : ", and no shape or strides");
    um_expect(t->device_type == it->device_type && t->device_id == it->device_id, "the memory's device",
              "type %d, number %d", t->device_type, t->device_id);
    um_expect(t->code == it->code && t->bits == it->bits && t->lanes == 1, "the view's type, of 1 lane",
              "code %d, %d bits, %d lanes", t->code, t->bits, t->lanes);
    um_expect(t->major == 1 && t->minor == 0, "version 1.0", "%u.%u", t->major, t->minor);
    for (int i = 0; i < it->ndim; i++) {
        um_expect(told->shape[i] == it->shape[i],
                  "shapes that are the tensor's own: the caller's numbers have changed since",
                  "%" PRId64 " elements in dimension %d, not %" PRId64, told->shape[i], i, it->shape[i]);
        um_expect(told->strides[i] == it->strides[i],
                  "strides in elements, the tensor's own, the last index fastest where they were NULL",
                  "a stride of %" PRId64 " in dimension %d, not %" PRId64, told->strides[i], i,
                  it->strides[i]);
    }
}

static void right_tensor(void)
{
    struct lab8_lending *it = lend();

    it->device_id = 1;
    it = lend();
    it->device_type = 2;
    it->code = 5, it->bits = 128;
    it = lend();
    it->ndim = 3;
    memcpy(it->shape, (int64_t[]){2, 5, 7}, 3 * sizeof *it->shape);
    memcpy(it->strides, (int64_t[]){35, 7, 1}, 3 * sizeof *it->strides);
    it = lend();
    it->ndim = 0;
    lend_row(4096, 4, 10 + (int64_t)(um_random() % 20), 8);
    it = lend();
    it->dense = 0;
    memcpy(it->strides, (int64_t[]){1, 3}, 2 * sizeof *it->strides); /* transposed */
    judge_lendings(judge_tensor);
}

static void judge_lifetime(const struct lab8_lending *it, const struct lab8_lent *told)
{
    expect_made(told);
    um_expect(told->retained == 1 && told->released == 0, "one reference taken by the call",
              "retain() was called %d times, release() %d times", told->retained, told->released);
    um_expect(told->tensor.deleter, "a deleter", "none");
    um_expect(told->alive_between,
              it->owner_first ? "the memory lives on after its maker: the tensor holds it"
                              : "the memory lives on after the tensor: its maker holds it",
              "it was freed");
    um_expect(told->retained_at_end == 1 && told->released_at_end == 1,
              "one reference given back, by the deleter", "%d taken and %d given back in all",
              told->retained_at_end, told->released_at_end);
    um_expect(!told->alive_at_end && told->after_end == 0,
              "the memory goes with the last side, and is left alone then",
              told->alive_at_end ? "it is still held" : "%d calls on memory that had gone", told->after_end);
}

static void either_side_first(void)
{
    lend()->owner_first = 1;
    lend()->owner_first = 0;
    lend_row(4096, 0, 16, 1)->owner_first = 1;
    lend_row(4096, 0, 0, 1)->owner_first = 0;
    judge_lendings(judge_lifetime);
}

/* Whatever is kept of a view, wherever: so many of them do not fit then. */
static void no_leak(void)
{
    struct lab8_kept kept;
    struct um_try try = {.function = "export_view_again", .in = lendings, .out_bytes = sizeof kept};

    (void)lend();
    (void)lend_row(4096, 0, 16, 4);
    (void)lend_row(64, 0, 17, 1); /* refused */
    const size_t kinds = lending_count;
    try.in_bytes = kinds * sizeof *lendings;
    lending_count = 0;
    um_case("3 kinds of views, the third refused, lent again and again, up to %d at once", LAB8_MOST);
    if (!um_call(&try))
        return;
    memcpy(&kept, try.out, sizeof kept);
    for (unsigned i = 0; i < 2; i++) /* the third is another check's */
        um_expect(kept.first_error[i] == cudaSuccess, "cudaSuccess, the first time", "%s",
                  um_error(kept.first_error[i]));
    for (unsigned i = 0; i < kinds; i++)
        um_expect(kept.error[i] == kept.first_error[i],
                  "the heap as it was before, however often: what was given back can be used again",
                  "%s after %" PRIu64 " views: %" PRIu64
                  " KiB are used up, though at most %d were lent at once",
                  um_error(kept.error[i]), kept.views, kept.spare >> 10, LAB8_MOST);
    um_expect(kept.as_asked && kept.views >= kept.wanted, "tensors that can be read while others are lent",
              "other shapes than asked for, after %" PRIu64 " views", kept.views);
}

static void judge_inside(const struct lab8_lending *it, const struct lab8_lent *told)
{
    (void)it;
    expect_made(told);
}

static void judge_outside(const struct lab8_lending *it, const struct lab8_lent *told)
{
    (void)it;
    um_expect(told->error == cudaErrorInvalidValue && !told->made, "cudaErrorInvalidValue, and NULL",
              "%s, %s", um_error(told->error), told->made ? "a tensor" : "NULL");
    um_expect(told->retained == told->released, "no reference kept", "%d taken, %d given back",
              told->retained, told->released);
}

/* Just inside. */
static void inside(void)
{
    const int64_t n = 5 + (int64_t)(um_random() % 50);

    (void)lend_row(4 * (uint64_t)n, 0, n, 1);
    (void)lend_row(4 * (uint64_t)n + 3, 3, n, 1);
    (void)lend_row(8 * (uint64_t)n - 4, 0, n, 2); /* the last element's gap need not be there */
    (void)lend_row(4 * (uint64_t)n, 4 * (uint64_t)n - 4, n, -1);
    (void)lend_row(64, 60, INT64_MAX, 0); /* one element, read many times */
    (void)lend_row(64, 64, 0, 1);         /* none */
    (void)lend_row(64, 0, 0, INT64_MAX);
    (void)lend_row(64, 60, 1, INT64_MAX); /* a stride that is never used */
    judge_lendings(judge_inside);
}

/* Just outside, and far. */
static void outside(void)
{
    const int64_t n = 5 + (int64_t)(um_random() % 50);
    struct lab8_lending *it;

    (void)lend_row(4 * (uint64_t)n - 1, 0, n, 1);
    (void)lend_row(4 * (uint64_t)n, 1, n, 1);
    (void)lend_row(8 * (uint64_t)n - 5, 0, n, 2);
    (void)lend_row(4 * (uint64_t)n, 4 * (uint64_t)n - 8, n, -1);
    (void)lend_row(64, 65, 0, 1);
    (void)lend_row(64, UINT64_MAX, 1, 1);
    (void)lend_row(64, UINT64_MAX - 3, 2, 1);
    (void)lend_row(64, 0, INT64_MAX, INT64_MAX);
    (void)lend_row(64, 0, ((int64_t)1 << 62) + 1, 1); /* 2^64 bytes and a few: in 64 bits, a few */
    (void)lend_row(64, 0, 2, INT64_MIN);
    (void)lend_row(64, 0, 3, INT64_MIN / 2);
    it = lend();
    it->ndim = 0;
    it->offset = it->bytes - 3;
    it = lend(); /* two dimensions that are inside each, but not together */
    it->bytes = 64, it->offset = 0, it->dense = 0;
    memcpy(it->shape, (int64_t[]){4, 4}, 2 * sizeof *it->shape);
    memcpy(it->strides, (int64_t[]){4, 4}, 2 * sizeof *it->strides);
    it = lend(); /* dense, of more elements than can be counted */
    memcpy(it->shape, (int64_t[]){INT64_MAX, INT64_MAX}, 2 * sizeof *it->shape);
    judge_lendings(judge_outside);
}

static void judge_read_only(const struct lab8_lending *it, const struct lab8_lent *told)
{
    expect_made(told);
    um_expect(told->tensor.flags == (it->read_only ? LAB8_READ_ONLY : 0u),
              it->read_only ? "flags that say read only, and nothing else" : "no flags", "flags %#" PRIx64,
              told->tensor.flags);
}

static void read_only(void)
{
    lend()->read_only = 1;
    lend()->read_only = 0;
    judge_lendings(judge_read_only);
}

static const struct um_check export_view_checks[] = {
    {"right_tensor", 2, right_tensor, NULL},      {"either_side_first", 2, either_side_first, "right_tensor"},
    {"inside", 1, inside, "right_tensor"},        {"outside", 2, outside, "inside"},
    {"no_leak", 1, no_leak, "either_side_first"}, {"read_only", 1, read_only, "right_tensor"},
};
UM_EXERCISE("export_view", export_view_checks);
