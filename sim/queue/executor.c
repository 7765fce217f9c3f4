/**
 * @file executor.c
 * @brief Implementation of executor.h and of the waiting functions of queue.h: which operations run, and in
 * which order.
 *
 * One thread at a time runs operations; other threads that need a result wait for it. To find the operations
 * to run, the executor starts at the wanted one and follows the dependencies, so that this takes no longer
 * when much else is pending. What it has found then runs in issue order, which respects every dependency.
 */
#include "executor.h"
#include "settle.h"
#include "../base/clock.h"
#include "../base/futex.h"
#include "../base/libc.h"
#include "../base/lock.h"
#include "../base/program_clock.h"
#include "../base/report.h"
#include "../base/shortage.h"
#include "../record/trace.h"
#include "../base/processes.h"
#include "../worker/launches.h"
#include "../base/mode.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/** Under `lazy`, queued work starts by itself when the program has made no API call for this long. */
#define IDLE_LIMIT_NS UINT64_C(200000000)
/** How long a query lets the device work, in real time. */
#define QUERY_LIMIT_NS UINT64_C(20000000)
/** How often the service thread checks whether the program has become idle. */
#define SERVICE_PERIOD_NS UINT64_C(50000000)
/** A program has then begun, and no kernel can have come to a limit of memory yet. */
#define NOTE_AFTER_NS 1000000

static struct {
    struct umsim_op *first, *last; /* in issue order */
    size_t count;
} pending;

/* Operations that run together. */
struct batch {
    struct umsim_op **op;
    size_t count, capacity;
};

static bool executing, service_runs, service_asked; /* service_asked: to run everything */
static struct umsim_op *queried;                    /* the service thread has been asked to run this one */
static enum umsim_schedule schedule;
static uint64_t random_state;
static atomic_ullong calls;

void umsim_schedule_set(enum umsim_schedule wanted, uint64_t seed)
{
    schedule = wanted;
    random_state = seed * 2 + 1;
}

static uint64_t random_next(void) /* xorshift64, Marsaglia 2003 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

void umsim_executor_take(struct umsim_op *op)
{
    op->previous = pending.last;
    op->next = NULL;
    *(pending.last ? &pending.last->next : &pending.first) = op;
    pending.last = op;
    pending.count++;
    if (schedule == UMSIM_EAGER || (schedule == UMSIM_RANDOM && random_next() % 4 == 0)) {
        service_asked = true;
        if (!umsim_is_grading())
            umsim_announce(UMSIM_TO_DO);
    }
}

static void add(struct batch *batch, struct umsim_op *op)
{
    if (batch->count == batch->capacity) {
        batch->capacity = batch->capacity ? 2 * batch->capacity : 64;
        batch->op = realloc(batch->op, batch->capacity * sizeof(struct umsim_op *));
        if (!batch->op)
            umsim_die("no memory to run %zu operations", batch->capacity);
    }
    op->wanted = true;
    batch->op[batch->count++] = op;
}

/* @param device only of this one's streams; NULL: of all */
static void add_all(struct batch *batch, const unsigned *device)
{
    for (struct umsim_op *op = pending.first; op; op = op->next)
        if (!device || op->stream->device == *device)
            add(batch, op);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = (*(struct umsim_op *const *)a)->number, y = (*(struct umsim_op *const *)b)->number;
    return x < y ? -1 : x > y;
}

/* A chain of operations was found from its end to its start, so it only has to be turned round. */
static void put_in_issue_order(struct batch *batch)
{
    struct umsim_op **op = batch->op;
    bool in_order = true;
    for (size_t i = 0, j = batch->count - 1; i < j; i++, j--) {
        struct umsim_op *kept = op[i];
        op[i] = op[j];
        op[j] = kept;
    }
    for (size_t i = 1; i < batch->count; i++)
        in_order = in_order && op[i - 1]->number < op[i]->number;
    if (!in_order)
        qsort(op, batch->count, sizeof *op, by_number);
}

/* All that those of the batch need, directly or not. */
static void add_what_they_need(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        for (unsigned d = 0; d < batch->op[i]->after_count; d++)
            if (!batch->op[i]->after[d]->wanted && batch->op[i]->after[d]->state != UMSIM_OP_SETTLED)
                add(batch, batch->op[i]->after[d]);
    put_in_issue_order(batch);
}

static void take_out_of_pending(const struct umsim_op *op)
{
    *(op->previous ? &op->previous->next : &pending.first) = op->next;
    *(op->next ? &op->next->previous : &pending.last) = op->previous;
    pending.count--;
}

/* Takes `wanted` (NULL: all operations, or all of a device's streams) and what it needs out of the pending
 * ones. */
static struct batch take(struct umsim_op *wanted, const unsigned *device)
{
    struct batch batch = {0};
    if (wanted)
        add(&batch, wanted);
    else
        add_all(&batch, device);
    if (batch.count && (wanted || device))
        add_what_they_need(&batch);
    for (size_t i = 0; i < batch.count; i++)
        take_out_of_pending(batch.op[i]);
    return batch;
}

static bool may_run(const struct umsim_op *op)
{
    for (unsigned i = 0; i < op->after_count; i++)
        if (op->after[i]->state == UMSIM_OP_PENDING)
            return false;
    return true;
}

/* random:SEED: shuffles the operations into another order that the dependencies allow. */
static void shuffle(struct umsim_op **batch, size_t count)
{
    for (size_t i = 0; i < count; i++)
        batch[i]->state = UMSIM_OP_PENDING;
    for (size_t done = 0; done < count; done++) {
        size_t pick = done + random_next() % (count - done);
        while (!may_run(batch[pick]))
            pick = pick + 1 < count ? pick + 1 : done;
        struct umsim_op *op = batch[pick];
        memmove(&batch[done + 1], &batch[done], (pick - done) * sizeof *batch);
        batch[done] = op;
        op->state = UMSIM_OP_RUNNING;
    }
}

/* Kernels that can be handed over ahead of time are: as many as follow one another, and as the ring holds.
 * Each is collected when its turn comes. */
static void run_batch(struct umsim_op **batch, size_t count)
{
    for (size_t i = 0, ahead = 0; i < count; i++) {
        for (; ahead < count && batch[ahead]->hand_over && ahead - i < UMSIM_RING; ahead++) {
            umsim_trace_carry_out(batch[ahead]->number);
            batch[ahead]->hand_over(batch[ahead]);
        }
        umsim_trace_carry_out(batch[i]->number);
        if (i < ahead) {
            batch[i]->collect(batch[i]);
        } else {
            ahead = i + 1;
            batch[i]->state = UMSIM_OP_RUNNING;
            if (batch[i]->run)
                batch[i]->run(batch[i]);
        }
        batch[i]->state = UMSIM_OP_RAN;
        if (batch[i]->is_kernel)
            umsim_kernel_ran(&batch[i]->stream->kernels);
    }
    umsim_trace_carry_out(0);
}

/* The operations up to the first that says what follows it. */
static size_t up_to_then(struct umsim_op *const *batch, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (batch[i]->then)
            return i + 1;
    return count;
}

/* Runs and settles `wanted` (NULL: all that is pending, or of a device) and what it needs. */
static void run(struct umsim_op *wanted, const unsigned *device)
{
    const struct batch taken = take(wanted, device);
    struct umsim_op **batch = taken.op;
    if (schedule == UMSIM_RANDOM)
        shuffle(batch, taken.count);
    for (size_t from = 0, count; from < taken.count; from += count) {
        count = up_to_then(batch + from, taken.count - from);
        run_batch(batch + from, count);
        umsim_settle(batch + from, count);
        for (size_t i = from; i < from + count; i++)
            umsim_op_settled(batch[i]);
        struct umsim_op *last = batch[from + count - 1];
        if (last->then)
            last->then(last);
    }
    for (size_t i = 0; i < taken.count; i++)
        umsim_op_drop(batch[i]);
    free(batch);
}

void umsim_queue_run_inside(struct umsim_op *op)
{
    run(op, NULL);
}

static void execute(struct umsim_op *wanted, const unsigned *device)
{
    umsim_program_clock_waits();
    executing = true;
    run(wanted, device);
    executing = false;
    umsim_announce(UMSIM_HAVE_RUN);
    if ((service_asked && !umsim_is_grading()) || queried)
        umsim_announce(UMSIM_TO_DO);
}

void umsim_queue_finish(struct umsim_op *op)
{
    while (op->state != UMSIM_OP_SETTLED) {
        if (executing)
            umsim_lock_wait(UMSIM_HAVE_RUN, 0);
        else
            execute(op, NULL);
    }
}

void umsim_queue_finish_all(void)
{
    while (executing || pending.count) {
        if (executing)
            umsim_lock_wait(UMSIM_HAVE_RUN, 0);
        else
            execute(NULL, NULL);
    }
}

static bool is_pending_on(unsigned device)
{
    for (const struct umsim_op *op = pending.first; op; op = op->next)
        if (op->stream->device == device)
            return true;
    return false;
}

void umsim_queue_finish_device(unsigned device)
{
    while (umsim_devices > 1 && (executing || is_pending_on(device))) {
        if (executing)
            umsim_lock_wait(UMSIM_HAVE_RUN, 0);
        else
            execute(NULL, &device);
    }
    if (umsim_devices == 1)
        umsim_queue_finish_all();
}

bool umsim_queue_progress(struct umsim_op *op)
{
    uint64_t limit = umsim_real_ns() + QUERY_LIMIT_NS;
    if (umsim_is_grading() && !executing && op->state != UMSIM_OP_SETTLED)
        execute(op, NULL);
    while (op->state != UMSIM_OP_SETTLED) {
        uint64_t now = umsim_real_ns();
        if (now >= limit)
            return false;
        if (!executing && !queried) {
            queried = umsim_op_hold(op);
            umsim_announce(UMSIM_TO_DO);
        }
        umsim_lock_wait(UMSIM_HAVE_RUN, limit - now);
    }
    return true;
}

void umsim_queue_serve(void)
{
    umsim_lock();
    if (service_asked && !executing) {
        service_asked = false;
        umsim_queue_finish_all();
    }
    umsim_unlock();
}

bool umsim_queue_pending(void)
{
    return executing || pending.count;
}

size_t umsim_queue_count(void)
{
    return pending.count;
}

void umsim_queue_abandon(void)
{
    while (executing)
        umsim_lock_wait(UMSIM_HAVE_RUN, 0);
    const struct batch given_up = take(NULL, NULL);
    for (size_t i = 0; i < given_up.count; i++) {
        given_up.op[i]->end_ns = umsim_queue_end_ns(given_up.op[i]->stream->device);
        umsim_op_settled(given_up.op[i]);
    }
    for (size_t i = 0; i < given_up.count; i++)
        umsim_op_drop(given_up.op[i]);
    free(given_up.op);
}

void umsim_service_noticed_call(void)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
}

static void serve_query(void)
{
    struct umsim_op *op = queried;
    if (op->state == UMSIM_OP_PENDING)
        execute(op, NULL);
    queried = NULL;
    umsim_op_drop(op);
}

/* A graded program gets nowhere by sleeping. But one that waits for its host function to run makes no call.
 */
void umsim_queue_serve_silent(void)
{
    umsim_lock();
    struct umsim_op *op = pending.first;
    while (op && !op->tells_host)
        op = op->next;
    if (op && !executing)
        execute(op, NULL);
    umsim_unlock();
}

static sigset_t programs_mask;

static void serve_program(bool is_idle)
{
    if (queried && !executing)
        serve_query();
    if ((service_asked || is_idle) && !executing && pending.count) {
        service_asked = false;
        execute(NULL, NULL);
    }
}

/* Runs what was asked for, and everything that is queued when the program has made no call for long. What is
 * graded runs in the server's one thread. */
static void *serve(void *unused)
{
    (void)unused;
    unsigned long long seen = 0;
    uint64_t silent_since = umsim_real_ns();
    umsim_host_lives();
    /* not at the start, which it would make longer; and not under the lock, for which this thread may have to
     * wait until a process was killed */
    syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = NOTE_AFTER_NS}, NULL);
    umsim_kills_note();
    umsim_lock();
    for (;;) {
        umsim_lock_wait(UMSIM_TO_DO, SERVICE_PERIOD_NS);
        unsigned long long now = atomic_load_explicit(&calls, memory_order_relaxed);
        if (now != seen || !pending.count)
            silent_since = umsim_real_ns();
        seen = now;
        if (!umsim_is_grading())
            serve_program(umsim_real_ns() - silent_since >= IDLE_LIMIT_NS);
        if (umsim_is_last_thread())
            break;
    }
    umsim_unlock();
    pthread_sigmask(SIG_SETMASK, &programs_mask, NULL); /* the C library calls exit(0) in its last thread */
    return NULL;
}

int umsim_service_start(void)
{
    if (service_runs)
        return 0;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &programs_mask);
    pthread_t thread;
    const int error = pthread_create(&thread, NULL, serve, NULL);
    service_runs = error == 0;
    if (service_runs)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &programs_mask, NULL);
    return error;
}
