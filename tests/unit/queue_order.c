/**
 * @file queue_order.c
 * @brief Tests of sim/queue: what runs when a thread waits for an operation, against a table in which each
 * operation's dependencies are searched for.
 */
#include "base/lock.h"
#include "queue/queue.h"
#include "um_test.h"

#include <stdlib.h>
#include <string.h>

enum {
    STREAMS = 7,
    OPS = 300,
    ROUNDS = 60
}; /* stream 0 is the legacy stream; the last two do not wait for it */

struct job {
    struct umsim_op op;
    size_t index;
};

static struct umsim_stream *stream[STREAMS];
static struct umsim_op *held[OPS];
static size_t ran[OPS], ran_count; /* in which order they ran */

/* The other implementation: who is in which stream, waits for which event, and has run. */
static size_t stream_of[OPS], event_of[OPS];
static bool has_run[OPS], needed[OPS];

static uint64_t state = 1;

static size_t random_below(size_t end) /* xorshift64 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % end;
}

static void run(struct umsim_op *op)
{
    ran[ran_count++] = ((struct job *)op)->index;
}

static bool waits_for_legacy(size_t s)
{
    return s > 0 && s < STREAMS - 2;
}

/* Whether the operation `later` has to run behind `earlier`, by CUDA's rules, as far as one rule says it. */
static bool comes_directly_after(size_t later, size_t earlier)
{
    const size_t a = stream_of[earlier], b = stream_of[later];
    return earlier < later && (a == b || event_of[later] == earlier || (a == 0 && waits_for_legacy(b)) ||
                               (b == 0 && waits_for_legacy(a)));
}

static void find_needed(size_t last)
{
    memset(needed, false, sizeof needed);
    needed[last] = true;
    for (size_t later = last + 1; later-- > 0;)
        for (size_t earlier = 0; needed[later] && earlier < later; earlier++)
            needed[earlier] |= comes_directly_after(later, earlier);
}

static void issue(size_t i)
{
    struct job *job = umsim_op_make(sizeof *job, "job");
    stream_of[i] = random_below(3) ? 1 + random_below(STREAMS - 1) : random_below(STREAMS);
    event_of[i] = i && random_below(4) == 0 ? random_below(i) : i;
    has_run[i] = false;
    job->index = i;
    job->op.run = run;
    job->op.duration_ns = 1;
    held[i] = umsim_op_hold(&job->op);
    umsim_op_issue_after(&job->op, stream[stream_of[i]], event_of[i] < i ? held[event_of[i]] : NULL);
}

/* What has run has to be what is needed and had not run, in the order of issue. */
static size_t wrong_order(size_t first)
{
    size_t wrong = 0, at = first;
    for (size_t i = 0; i < OPS; i++) {
        if (!needed[i] || has_run[i])
            continue;
        wrong += at >= ran_count || ran[at++] != i;
        has_run[i] = true;
    }
    return wrong + (ran_count - at);
}

/* Waits for the operation, or for its stream, of `issued` operations. */
static size_t wait_for(size_t i, bool for_stream, size_t issued)
{
    const size_t before = ran_count;
    if (!for_stream || stream_of[i] == 0) {
        find_needed(i);
        umsim_queue_finish(held[i]);
        return wrong_order(before);
    }
    size_t last = issued;
    while (last-- > 0 && stream_of[last] != stream_of[i])
        ;
    find_needed(last);
    umsim_stream_finish(stream[stream_of[i]]);
    return wrong_order(before);
}

static size_t one_round(void)
{
    size_t wrong = 0;
    ran_count = 0;
    for (size_t i = 0; i < OPS; i++) {
        issue(i);
        if (random_below(15) == 0)
            wrong += wait_for(random_below(i + 1), random_below(2), i + 1);
    }
    memset(needed, true, sizeof needed);
    const size_t before = ran_count;
    umsim_queue_finish_all();
    wrong += wrong_order(before);
    for (size_t i = 0; i < OPS; i++)
        umsim_op_drop(held[i]);
    return wrong;
}

static void make_streams(void)
{
    stream[0] = umsim_streams();
    for (size_t s = 1; s < STREAMS && !stream[s]; s++) {
        stream[s] = calloc(1, sizeof *stream[s]);
        CU_ASSERT_FATAL(stream[s] != NULL);
        stream[s]->waits_for_legacy = waits_for_legacy(s);
        umsim_stream_add(stream[s]);
    }
}

static void a_wait_runs_what_the_operation_needs_and_nothing_else_in_order(void)
{
    size_t wrong = 0;
    umsim_lock();
    make_streams();
    for (int round = 0; round < ROUNDS; round++)
        wrong += one_round();
    umsim_unlock();
    UM_EQUAL(wrong, 0);
}

static void the_legacy_stream_ends_behind_all_that_take_turns_with_it(void)
{
    umsim_lock();
    make_streams();
    for (int round = 0; round < ROUNDS; round++) {
        ran_count = 0;
        for (size_t i = 0; i < OPS; i++)
            issue(i);
        umsim_stream_finish(stream[0]);
        size_t left = 0;
        for (size_t i = 0; i < OPS; i++)
            left += waits_for_legacy(stream_of[i]) && held[i]->state != UMSIM_OP_SETTLED;
        UM_EQUAL(left, 0);
        umsim_queue_finish_all();
        for (size_t i = 0; i < OPS; i++)
            umsim_op_drop(held[i]);
    }
    umsim_unlock();
}

/* An operation of the legacy stream begins no earlier than what it waits for ends. */
static void times_of_the_legacy_stream_follow_those_of_the_others(void)
{
    size_t early = 0;
    umsim_lock();
    make_streams();
    for (int round = 0; round < ROUNDS; round++) {
        ran_count = 0;
        for (size_t i = 0; i < OPS; i++) {
            issue(i);
            if (random_below(10) == 0)
                umsim_queue_finish(held[random_below(i + 1)]);
        }
        umsim_queue_finish_all();
        for (size_t later = 0; later < OPS; later++)
            for (size_t earlier = 0; earlier < later; earlier++)
                early +=
                    comes_directly_after(later, earlier) && held[later]->start_ns < held[earlier]->end_ns;
        for (size_t i = 0; i < OPS; i++)
            umsim_op_drop(held[i]);
    }
    umsim_unlock();
    UM_EQUAL(early, 0);
}

static void handles_of_streams_are_known_until_the_stream_is_retired(void)
{
    enum { MANY = 1000 };
    static struct umsim_stream *many[MANY];
    umsim_lock();
    for (size_t i = 0; i < MANY; i++) {
        many[i] = calloc(1, sizeof *many[i]);
        CU_ASSERT_FATAL(many[i] != NULL);
        umsim_stream_add(many[i]);
    }
    size_t known = 0, forgotten = 0;
    for (size_t i = 0; i < MANY; i++) {
        known += umsim_stream_at(many[i]) == many[i];
        forgotten += !umsim_stream_at((char *)many[i] + 8);
    }
    for (size_t i = 0; i < MANY; i += 2)
        umsim_stream_retire(many[i]);
    for (size_t i = 1; i < MANY; i += 2)
        known += umsim_stream_at(many[i]) == many[i];
    size_t listed = 0;
    for (const struct umsim_stream *it = umsim_streams(); it; it = it->next)
        listed++;
    for (size_t i = 1; i < MANY; i += 2)
        umsim_stream_retire(many[i]);
    for (const struct umsim_stream *it = umsim_streams(); it; it = it->next)
        listed--;
    umsim_unlock();
    UM_EQUAL(known, MANY + MANY / 2);
    UM_EQUAL(forgotten, MANY);
    UM_EQUAL(listed, MANY / 2);
}

UM_TESTS("the queue",
         {"a wait runs what the operation needs and nothing else, in order",
          a_wait_runs_what_the_operation_needs_and_nothing_else_in_order},
         {"the legacy stream ends behind all that take turns with it",
          the_legacy_stream_ends_behind_all_that_take_turns_with_it},
         {"times of the legacy stream follow those of the others",
          times_of_the_legacy_stream_follow_those_of_the_others},
         {"handles of streams are known until the stream is retired",
          handles_of_streams_are_known_until_the_stream_is_retired});
