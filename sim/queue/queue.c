/**
 * @file queue.c
 * @brief Implementation of queue.h: issuing operations, their dependencies, and streams.
 *
 * Running and settling are in executor.c.
 *
 * An operation of the legacy stream comes after everything in the blocking streams. The legacy stream's
 * operation before it already comes after what was issued before that one. So only streams with an operation
 * issued since then are looked at: the list of busy streams begins with the one that issued last.
 */
#include "executor.h"
#include "../base/clock.h"
#include "queue.h"
#include "../base/report.h"
#include "../record/trace.h"

#include <stdlib.h>
#include <string.h>

/* The streams of one device that take turns with its legacy stream. */
static struct blocking {
    struct umsim_stream *busy;
    uint64_t issued_to_legacy; /* the number of its last operation */
    uint64_t end_ns;           /* the end of the last operation of a blocking stream that has settled */
} blocking[UMSIM_DEVICES_MAX];

static struct umsim_stream legacy[UMSIM_DEVICES_MAX] = {{.is_legacy = true}};
static struct umsim_stream *last_stream = &legacy[0];
static struct umsim_spans handles; /* struct umsim_stream */
uint64_t umsim_issued_as_ns;
unsigned umsim_issued_on;
static uint64_t issued; /* the number of the last operation */

struct umsim_stream *umsim_streams(void)
{
    return &legacy[0];
}

static void enter(struct umsim_stream *stream)
{
    static uint64_t made;
    stream->number = ++made;
    stream->previous = last_stream;
    last_stream->next = stream;
    last_stream = stream;
}

/* Those of further devices are entered at their first use. */
struct umsim_stream *umsim_legacy_stream(unsigned device)
{
    struct umsim_stream *stream = &legacy[device];
    if (!stream->is_legacy) {
        stream->is_legacy = true;
        stream->device = device;
        enter(stream);
    }
    return stream;
}

void umsim_stream_add(struct umsim_stream *stream)
{
    enter(stream);
    stream->span.start = (uintptr_t)stream;
    stream->span.bytes = sizeof *stream;
    umsim_spans_add(&handles, &stream->span);
}

struct umsim_stream *umsim_stream_at(const void *p)
{
    return (struct umsim_stream *)umsim_spans_at(&handles, (uintptr_t)p);
}

static void enter_busy(struct umsim_stream *stream)
{
    if (!stream->waits_for_legacy)
        return;
    struct blocking *of = &blocking[stream->device];
    stream->busy_previous = NULL;
    stream->busy_next = of->busy;
    if (of->busy)
        of->busy->busy_previous = stream;
    of->busy = stream;
}

static void leave_busy(struct umsim_stream *stream)
{
    if (!stream->waits_for_legacy)
        return;
    *(stream->busy_previous ? &stream->busy_previous->busy_next : &blocking[stream->device].busy) =
        stream->busy_next;
    if (stream->busy_next)
        stream->busy_next->busy_previous = stream->busy_previous;
}

static void set_tail(struct umsim_stream *stream, struct umsim_op *op)
{
    if (stream->tail) {
        leave_busy(stream);
        umsim_op_drop(stream->tail);
    }
    stream->tail = op;
    if (op) {
        umsim_op_hold(op);
        enter_busy(stream);
    }
}

void umsim_stream_retire(struct umsim_stream *stream)
{
    if (!stream->destroyed)
        umsim_spans_remove(&handles, &stream->span);
    stream->destroyed = true;
    if (stream->tail)
        return; /* its last operation will call this again */
    stream->previous->next = stream->next;
    *(stream->next ? &stream->next->previous : &last_stream) = stream->previous;
    free(stream);
}

/* Programs make and end operations by the thousand, so the memory of small ones is kept in a list for reuse.
 * (Not under AddressSanitizer, which has to see the end of each.) */
#ifdef __SANITIZE_ADDRESS__
enum { SMALL = 0, KEPT_MAX = 0 };
#else
enum { SMALL = 768, KEPT_MAX = 8192 }; /* a kernel with a few arguments has 512 and theirs */
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
    free(op->share);
    give_back(op);
}

void umsim_op_shares(struct umsim_op *op, unsigned device, enum umsim_engine link, uint64_t ns)
{
    if (!ns)
        return;
    if (!op->share && !(op->share = malloc(UMSIM_SHARES_MAX * sizeof *op->share)))
        umsim_die("no memory for an operation's part of the links between devices");
    op->share[op->share_count++] = (struct umsim_share){umsim_line(device, link), ns};
}

enum { OWN_CAPACITY = sizeof((struct umsim_op *)NULL)->after_own / sizeof(struct umsim_op *) };
_Static_assert((OWN_CAPACITY & (OWN_CAPACITY - 1)) == 0, "a power of 2, as grow() doubles it");

/* The array has a power of 2 of entries: it is full when their number is one. */
static bool grow(struct umsim_op *op)
{
    const unsigned count = op->after_count;
    if (count & (count - 1))
        return true;
    struct umsim_op **own = op->after == op->after_own ? NULL : op->after;
    struct umsim_op **grown = realloc(own, 2 * count * sizeof *grown);
    if (grown && !own)
        memcpy(grown, op->after_own, sizeof op->after_own);
    if (grown)
        op->after = grown;
    return grown;
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
    op->before |= other->before | other->own;
    if (op->after_count == 0)
        op->after = op->after_own;
    if (op->after_count >= OWN_CAPACITY && !grow(op))
        abort(); /* losing a dependency silently would be worse */
    op->after[op->after_count++] = umsim_op_hold(other);
}

static void depend_on_stream(struct umsim_op *op, const struct umsim_stream *stream)
{
    if (op->ready_ns < stream->tail_ns)
        op->ready_ns = stream->tail_ns;
    depend(op, stream->tail);
}

static void depend_on_blocking(struct umsim_op *op, struct blocking *of)
{
    if (op->ready_ns < of->end_ns)
        op->ready_ns = of->end_ns;
    for (struct umsim_stream *s = of->busy; s && s->tail->number > of->issued_to_legacy; s = s->busy_next)
        depend(op, s->tail);
    of->issued_to_legacy = op->number;
}

void umsim_op_issue_after(struct umsim_op *op, struct umsim_stream *stream, struct umsim_op *other)
{
    op->number = ++issued;
    op->issue_ns = umsim_issued_as_ns ? umsim_issued_as_ns : umsim_clock_now();
    op->stream = stream;
    if (!op->device_is_set)
        op->device = umsim_issue_device(stream);
    depend_on_stream(op, stream);
    depend(op, other);
    if (stream->waits_for_legacy)
        depend_on_stream(op, &legacy[stream->device]);
    if (stream->is_legacy)
        depend_on_blocking(op, &blocking[stream->device]);
    set_tail(stream, op);
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
    if (stream && op->is_kernel) {
        if (op->state != UMSIM_OP_RAN) /* it was given up */
            umsim_kernel_ran(&stream->kernels);
        umsim_kernel_settled(&stream->kernels, op->end_ns);
    }
    op->state = UMSIM_OP_SETTLED;
    forget_dependencies(op);
    if (stream && stream->tail_ns < op->end_ns)
        stream->tail_ns = op->end_ns;
    if (stream && stream->waits_for_legacy && blocking[stream->device].end_ns < op->end_ns)
        blocking[stream->device].end_ns = op->end_ns;
    if (stream && stream->tail == op) {
        set_tail(stream, NULL);
        if (stream->destroyed)
            umsim_stream_retire(stream);
    }
}

static void finish(struct umsim_op *op)
{
    umsim_queue_finish(op);
    umsim_clock_wait_until(op->end_ns);
    umsim_op_drop(op);
}

static int by_stream(const void *a, const void *b)
{
    const uint64_t x = (*(struct umsim_op *const *)a)->stream->number;
    const uint64_t y = (*(struct umsim_op *const *)b)->stream->number;
    return x < y ? -1 : x > y;
}

/* Other threads may issue and finish meanwhile, so the operations to wait for are collected first. */
static void finish_blocking(struct umsim_stream *const busy)
{
    size_t count = 0, at = 0;
    for (const struct umsim_stream *stream = busy; stream; stream = stream->busy_next)
        count++;
    struct umsim_op **tails = count ? malloc(count * sizeof *tails) : NULL;
    if (count && !tails)
        umsim_die("no memory to wait for %zu streams", count);
    for (const struct umsim_stream *stream = busy; stream; stream = stream->busy_next)
        tails[at++] = umsim_op_hold(stream->tail);
    if (count > 1)
        qsort(tails, count, sizeof *tails, by_stream);
    for (at = 0; at < count; at++)
        finish(tails[at]);
    free(tails);
}

/* The legacy stream ends when every stream ends that it takes turns with. */
void umsim_stream_finish(struct umsim_stream *stream)
{
    if (stream->is_legacy)
        finish_blocking(blocking[stream->device].busy);
    if (stream->tail)
        finish(umsim_op_hold(stream->tail));
    else
        umsim_clock_wait_until(stream->tail_ns);
}
