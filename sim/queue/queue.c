/**
 * @file queue.c
 * @brief Implementation of queue.h: issuing operations, their dependencies, and streams.
 *
 * Running and settling are in executor.c.
 */
#include "executor.h"
#include "../base/clock.h"
#include "queue.h"
#include "../record/trace.h"

#include <stdlib.h>
#include <string.h>

struct umsim_stream umsim_legacy_stream;
static uint64_t issued;

struct umsim_stream *umsim_streams(void)
{
    return &umsim_legacy_stream;
}

void umsim_stream_add(struct umsim_stream *stream)
{
    static uint64_t made;
    stream->number = ++made;
    struct umsim_stream **last = &umsim_legacy_stream.next;
    while (*last)
        last = &(*last)->next;
    *last = stream;
}

void umsim_stream_retire(struct umsim_stream *stream)
{
    stream->destroyed = true;
    if (stream->tail)
        return; /* its last operation will call this again */
    struct umsim_stream **link = &umsim_legacy_stream.next;
    while (*link && *link != stream)
        link = &(*link)->next;
    if (*link)
        *link = stream->next;
    free(stream);
}

/* Programs make and end operations by the thousand, so the memory of small ones is kept in a list for reuse.
 * (Not under AddressSanitizer, which has to see the end of each.) */
#ifdef __SANITIZE_ADDRESS__
enum { SMALL = 0, KEPT_MAX = 0 };
#else
enum { SMALL = 512, KEPT_MAX = 8192 };
#endif
static struct umsim_op *kept; /* linked by after_own[0] */
static unsigned kept_count;

void *umsim_op_make(size_t bytes, const char *what)
{
    /* A kernel's arguments lie at a multiple of 64 in its operation. */
    const size_t block_bytes = bytes <= SMALL ? SMALL : (bytes + 63) / 64 * 64;
    struct umsim_op *op = kept;
    if (block_bytes == SMALL && op) {
        kept = op->after_own[0];
        kept_count--;
    } else {
        op = aligned_alloc(64, block_bytes);
    }
    if (!op)
        return NULL;
    memset(op, 0, (bytes + 63) / 64 * 64);
    op->what = what;
    op->references = 1;
    op->block_size = (unsigned)block_bytes;
    return op;
}

static void give_back(struct umsim_op *op)
{
    if (op->block_size != SMALL || kept_count == KEPT_MAX) {
        free(op);
        return;
    }
    op->after_own[0] = kept;
    kept = op;
    kept_count++;
}

struct umsim_op *umsim_op_hold(struct umsim_op *op)
{
    op->references++;
    return op;
}

static void forget_dependencies(struct umsim_op *op)
{
    for (unsigned i = 0; i < op->after_count; i++)
        umsim_op_drop(op->after[i]);
    if (op->after != op->after_own)
        free(op->after);
    op->after = NULL;
    op->after_count = 0;
}

void umsim_op_drop(struct umsim_op *op)
{
    if (--op->references)
        return;
    forget_dependencies(op);
    give_back(op);
}

/* Makes `op` come after `other`: in time if `other` is settled, else in the order of running. */
static void depend(struct umsim_op *op, struct umsim_op *other)
{
    if (!other)
        return;
    if (other->state == UMSIM_OP_SETTLED) {
        if (op->ready_ns < other->end_ns)
            op->ready_ns = other->end_ns;
        return;
    }
    const size_t own_capacity = sizeof op->after_own / sizeof op->after_own[0];
    if (op->after_count == 0)
        op->after = op->after_own;
    if (op->after_count >= own_capacity) {
        struct umsim_op **own = op->after == op->after_own ? NULL : op->after;
        struct umsim_op **grown = realloc(own, (op->after_count + 1) * sizeof *grown);
        if (!grown)
            abort(); /* losing a dependency silently would be worse */
        if (!own)
            memcpy(grown, op->after_own, sizeof op->after_own);
        op->after = grown;
    }
    op->after[op->after_count++] = umsim_op_hold(other);
}

static void depend_on_stream(struct umsim_op *op, const struct umsim_stream *stream)
{
    if (op->ready_ns < stream->tail_ns)
        op->ready_ns = stream->tail_ns;
    depend(op, stream->tail);
}

void umsim_op_issue_after(struct umsim_op *op, struct umsim_stream *stream, struct umsim_op *other)
{
    op->number = ++issued;
    op->issue_ns = umsim_clock_now();
    op->stream = stream;
    depend_on_stream(op, stream);
    depend(op, other);
    if (stream->waits_for_legacy)
        depend_on_stream(op, &umsim_legacy_stream);
    for (struct umsim_stream *s = umsim_legacy_stream.next; stream == &umsim_legacy_stream && s; s = s->next)
        if (s->waits_for_legacy)
            depend_on_stream(op, s);
    if (stream->tail)
        umsim_op_drop(stream->tail);
    stream->tail = umsim_op_hold(op);
    if (op->is_kernel) {
        umsim_kernel_issued(&stream->kernels);
    }
    umsim_trace_issued(op->number);
    umsim_executor_take(op);
}

void umsim_op_issue(struct umsim_op *op, struct umsim_stream *stream)
{
    umsim_op_issue_after(op, stream, NULL);
}

void umsim_op_settled(struct umsim_op *op)
{
    struct umsim_stream *stream = op->stream;
    op->state = UMSIM_OP_SETTLED;
    forget_dependencies(op);
    if (stream && op->is_kernel) {
        umsim_kernel_settled(&stream->kernels, op->end_ns);
    }
    if (stream && stream->tail_ns < op->end_ns)
        stream->tail_ns = op->end_ns;
    if (stream && stream->tail == op) {
        stream->tail = NULL;
        umsim_op_drop(op);
        if (stream->destroyed)
            umsim_stream_retire(stream);
    }
}

/* The legacy stream ends when every stream ends that it takes turns with. */
void umsim_stream_finish(struct umsim_stream *stream)
{
    if (stream == umsim_streams())
        for (struct umsim_stream *other = stream->next, *next; other; other = next) {
            next = other->next;
            if (other->waits_for_legacy && other->tail)
                umsim_stream_finish(other);
        }
    if (stream->tail) {
        struct umsim_op *tail = umsim_op_hold(stream->tail);
        umsim_queue_finish(tail);
        umsim_clock_wait_until(tail->end_ns);
        umsim_op_drop(tail);
    } else {
        umsim_clock_wait_until(stream->tail_ns);
    }
}
