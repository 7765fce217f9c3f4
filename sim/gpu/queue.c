/* queue.c: see queue.h. Issuing, dependencies, streams. Running and settling is in executor.c. */
#include "executor.h"
#include "clock.h"
#include "queue.h"

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
        return; /* its last operation comes back here */
    struct umsim_stream **link = &umsim_legacy_stream.next;
    while (*link && *link != stream)
        link = &(*link)->next;
    if (*link)
        *link = stream->next;
    free(stream);
}

void *umsim_op_make(size_t bytes, const char *what)
{
    /* A kernel's arguments stand at a multiple of 64 in its operation. */
    const size_t room = (bytes + 63) / 64 * 64;
    struct umsim_op *op = aligned_alloc(64, room);
    if (!op)
        return NULL;
    memset(op, 0, room);
    op->what = what;
    op->references = 1;
    return op;
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
    free(op->after);
    op->after = NULL;
    op->after_count = 0;
}

void umsim_op_drop(struct umsim_op *op)
{
    if (--op->references)
        return;
    forget_dependencies(op);
    free(op);
}

/* `op` comes after `other`: for its time if that is settled, else for its run. */
static void depend(struct umsim_op *op, struct umsim_op *other)
{
    if (!other)
        return;
    if (other->state == UMSIM_OP_SETTLED) {
        if (op->ready_ns < other->end_ns)
            op->ready_ns = other->end_ns;
        return;
    }
    struct umsim_op **grown = realloc(op->after, (op->after_count + 1) * sizeof *grown);
    if (!grown)
        abort(); /* losing an order silently would be worse */
    op->after = grown;
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
    if (stream && stream->tail_ns < op->end_ns)
        stream->tail_ns = op->end_ns;
    if (stream && stream->tail == op) {
        stream->tail = NULL;
        umsim_op_drop(op);
        if (stream->destroyed)
            umsim_stream_retire(stream);
    }
}
