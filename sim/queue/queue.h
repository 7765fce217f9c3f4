/**
 * @file queue.h
 * @brief What the program has asked of the device, and when each part of it is done.
 *
 * Host process only; callers hold the simulator's lock (umsim_lock()).
 *
 * Every asynchronous piece of work is an operation. An operation knows what must be done before it (the
 * operation ahead of it in its stream, events, the legacy stream's rule), and has a function that does its
 * work. Nothing runs when it is issued. Under the default schedule, `lazy`, a thread that waits for an
 * operation runs that operation and what it depends on, in issue order, and nothing else. So a program that
 * forgets to wait sees stale data every time.
 *
 * Real order and virtual time are separate. Once operations have run, their durations are known, and the
 * timeline (sim/model/timeline.h) places them on the engines of their device as hardware would have. Overlap
 * appears in the virtual clock.
 */
#ifndef UMSIM_QUEUE_H
#define UMSIM_QUEUE_H

#include "../base/activity.h"
#include "../base/devices.h"
#include "../base/spans.h"
#include "../model/timeline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct umsim_op;

struct umsim_stream {
    struct umsim_span span; /* in the set of live handles */
    uint64_t number;        /* order of creation; 0: the legacy default stream of device 0 */
    unsigned device;
    const void *owner;     /* the driver API's context that it was made in; NULL: a primary one */
    bool is_legacy;        /* the legacy default stream of its device */
    bool waits_for_legacy; /* a blocking stream: takes turns with the legacy stream */
    bool destroyed;        /* retired, but work is still queued */
    unsigned flags;
    int priority;
    struct umsim_op *tail; /* the operation issued last; NULL when that is settled */
    uint64_t tail_ns;      /* end of the last settled operation */
    struct umsim_activity kernels;
    struct umsim_capture *capture;     /* while it is captured into a graph (api/graph.h); else NULL */
    struct umsim_node **capture_after; /* the nodes that its next node comes after */
    size_t capture_after_count;
    struct umsim_stream *next, *previous;           /* all streams */
    struct umsim_stream *busy_next, *busy_previous; /* blocking streams with a tail (queue.c) */
};

enum umsim_op_state { UMSIM_OP_PENDING, UMSIM_OP_RUNNING, UMSIM_OP_RAN, UMSIM_OP_SETTLED };

struct umsim_op {
    const char *what; /* for the trace: "kernel", "memcpy", ... */
    /* Does the work, and sets engine and duration_ns. Called once, with the lock held. NULL: nothing to
     * do. */
    void (*run)(struct umsim_op *op);
    /* A kernel may be handed over before the one ahead of it has ended: first hand_over, then collect. */
    void (*hand_over)(struct umsim_op *op);
    void (*collect)(struct umsim_op *op);
    /* After it has settled, before what comes after it runs: may issue further operations, and have them run
     * by umsim_queue_run_inside(). */
    void (*then)(struct umsim_op *op);
    enum umsim_engine engine;
    uint64_t duration_ns;

    uint64_t number, issue_ns, ready_ns; /* ready_ns: the end of the settled operations that it waits for */
    uint64_t start_ns, end_ns;
    uint64_t own,
        before; /* under --check: a kernel's bit, and those of the kernels that come before (unordered.h) */
    uint64_t bytes;     /* for the trace */
    const char *detail; /* also: a kernel's name, a copy's direction, a prefetch's target; or NULL */
    struct umsim_stream *stream;
    struct umsim_op *next, *previous; /* while it is pending: the operations issued before and after it */
    struct umsim_op **after;          /* what must run before; not what was settled at the issue */
    struct umsim_op *after_own[2];    /* the storage of `after` while it fits */
    struct umsim_share *share;        /* of the devices' links: few operations have any, the others NULL */
    unsigned after_count, share_count, references, block_size;
    unsigned device;             /* which works: its stream's, a graph's node's, or a copy's source */
    bool device_is_set;          /* before the issue */
    unsigned char reads, writes; /* as in struct umsim_op_times */
    enum umsim_op_state state;
    bool wanted, is_kernel;
    bool tells_host; /* it runs code of the program's own, which may wait for that */
    uint32_t item;   /* its index while a set is settled */
};

/** The operation takes what comes to a device, or what goes from it, for so long. */
void umsim_op_shares(struct umsim_op *op, unsigned device, enum umsim_engine link, uint64_t ns);

/** It goes from one device to another. */
static inline void umsim_op_crosses(struct umsim_op *op, unsigned from, unsigned to, uint64_t ns)
{
    umsim_op_shares(op, from, UMSIM_LINK_OUT, ns);
    umsim_op_shares(op, to, UMSIM_LINK_IN, ns);
}

/** The legacy default stream of a device. */
struct umsim_stream *umsim_legacy_stream(unsigned device);

/** Makes an operation of `bytes` bytes (struct umsim_op first), zeroed. Returns NULL when there is no
 * memory. */
void *umsim_op_make(size_t bytes, const char *what);

/** Issues an operation to a stream at the calling thread's virtual time. Takes over the caller's
 * reference. */
void umsim_op_issue(struct umsim_op *op, struct umsim_stream *stream);

/** Like umsim_op_issue(), but also behind `other` (cudaStreamWaitEvent), if that is not NULL. */
void umsim_op_issue_after(struct umsim_op *op, struct umsim_stream *stream, struct umsim_op *other);

/** Takes a reference to an operation, and gives one back. */
struct umsim_op *umsim_op_hold(struct umsim_op *op);
void umsim_op_drop(struct umsim_op *op);

/** Runs `op` and what it depends on, until it is settled. Releases the lock while a kernel or a host function
 * runs. */
void umsim_queue_finish(struct umsim_op *op);

/** In an operation's `then`: runs `op`, which `then` has issued, and what it depends on, until it is settled.
 */
void umsim_queue_run_inside(struct umsim_op *op);

/** In an operation's `then`: the time at which what it issues counts as issued; else 0. */
extern uint64_t umsim_issued_as_ns;

/** While a graph's node is issued: the device that its work is on, plus 1; else 0, the stream's. */
extern unsigned umsim_issued_on;

/** The device of what is issued to a stream now. */
static inline unsigned umsim_issue_device(const struct umsim_stream *stream)
{
    return umsim_issued_on ? umsim_issued_on - 1 : stream->device;
}

/** Runs everything that was issued. */
void umsim_queue_finish_all(void);

/** Runs everything that was issued to a device's streams, and what that depends on. */
void umsim_queue_finish_device(unsigned device);

/** Runs all of a stream, and moves the calling thread's clock behind it. */
void umsim_stream_finish(struct umsim_stream *stream);

/**
 * Lets the device make progress on `op` for at most 20 ms of real time, as a query does.
 * @return whether `op` has settled
 */
bool umsim_queue_progress(struct umsim_op *op);

/** The virtual time at which everything settled so far in a device's streams has ended. */
uint64_t umsim_queue_end_ns(unsigned device);

/** Whether anything was issued that has not run. */
bool umsim_queue_pending(void);
/** How many operations these are, of which none runs now. */
size_t umsim_queue_count(void);

/** Drops everything that has not run (after a sticky error, at a reset). */
void umsim_queue_abandon(void);

/** Adds a stream (from malloc) to the list. */
void umsim_stream_add(struct umsim_stream *stream);

/** The stream of the list that lies at `p` and was not retired, or NULL. */
struct umsim_stream *umsim_stream_at(const void *p);

/** Takes a stream out of the list, and frees it once its last operation has settled. Work that was issued is
 * still done. */
void umsim_stream_retire(struct umsim_stream *stream);

/** The first stream of the list: device 0's legacy one. */
struct umsim_stream *umsim_streams(void);

/**
 * Starts the thread that runs what no thread waits for: under `lazy`, after 200 ms without an API call. The
 * thread lives as long as the program does, which is how the GPU process knows that the program lives
 * (umsim_host_lives()).
 * @return 0, or why it does not run (errno)
 */
int umsim_service_start(void);

/** Tells the service thread that the program made an API call. Cheap. */
void umsim_service_noticed_call(void);

#endif
