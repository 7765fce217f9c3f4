/**
 * @file barrier.c
 * @brief Implementation of barrier.h: compares where the threads of a block stand.
 */
#include "barrier.h"
#include "access.h"
#include "check.h"
#include "finding.h"
#include "race.h"
#include "../base/mode.h"

#include <string.h>

/* ---- which threads ---- */

struct asked {
    const struct umsim_worker *worker;
    int line; /* of the barrier */
};

/* At a barrier all others are at it too, or have ended. */
static bool has_ended(const struct umsim_fiber *it, const struct asked *asked)
{
    return it->generation != asked->worker->generation;
}

/* Such a thread was alive where the others wait, and has passed that by. */
static bool has_passed(const struct umsim_fiber *it, const struct asked *asked)
{
    return has_ended(it, asked) && it->came_to_end;
}

static bool is_at_line(const struct umsim_fiber *it, const struct asked *asked)
{
    return !has_ended(it, asked) && it->barrier.line == asked->line;
}

typedef bool (*which)(const struct umsim_fiber *it, const struct asked *asked);

/* Adds `thread 3`, `threads 16..63, 96`: numbers within the block, x counted fastest. */
static void add_threads(struct umsim_message *text, which is_one, const struct asked *asked)
{
    const struct umsim_fiber *fibers = asked->worker->fibers;
    const size_t threads = asked->worker->command->threads_a_block;
    unsigned ranges = 0;
    umsim_message_add(text, "threads ");
    for (size_t first = 0; first < threads; first++) {
        size_t last = first;
        if (!is_one(&fibers[first], asked))
            continue;
        while (last + 1 < threads && is_one(&fibers[last + 1], asked))
            last++;
        if (++ranges > 4) {
            umsim_message_add(text, ", ...");
            return;
        }
        umsim_message_add(text, ranges > 1 ? ", " : "");
        umsim_message_add_number(text, (int64_t)first);
        if (last > first) {
            umsim_message_add(text, "..");
            umsim_message_add_number(text, (int64_t)last);
        }
        first = last;
    }
}

void umsim_barrier_add_threads(struct umsim_message *text, const struct umsim_worker *worker, int line)
{
    add_threads(text, is_at_line, &(struct asked){worker, line});
}

/* The first in order; NULL: there is none. */
static const struct umsim_fiber *find(which is_one, const struct asked *asked)
{
    for (size_t i = 0; i < asked->worker->command->threads_a_block; i++)
        if (is_one(&asked->worker->fibers[i], asked))
            return &asked->worker->fibers[i];
    return NULL;
}

/* ---- what is told ---- */

static void name_file(char *to, size_t size, const char *file)
{
    const char *name = file;
    for (const char *c = name; *c; c++)
        if (*c == '/')
            name = c + 1;
    strncpy(to, name, size - 1);
}

static bool has_left(const struct umsim_fiber *it, unsigned since, struct umsim_place_in_source place)
{
    for (unsigned i = 0; it->left_since == since && i < it->left_count; i++)
        if (it->left[i].line == place.line)
            return true;
    return false;
}

/* The first condition that a thread has left since the last barrier of both, and that the one that waits has
 * not: there they parted. */
static void set_condition(struct umsim_finding *finding, const struct umsim_fiber *it,
                          const struct umsim_fiber *waits)
{
    const unsigned since = waits->generation - 1;
    for (unsigned i = 0; it->generation == since && it->left_since == since && i < it->left_count; i++)
        if (!has_left(waits, since, it->left[i])) {
            name_file(finding->condition_file, sizeof finding->condition_file, it->left[i].file);
            finding->condition = it->left[i].line;
            return;
        }
}

static void set_place(struct umsim_finding *finding, struct umsim_place_in_source place)
{
    name_file(finding->file, sizeof finding->file, place.file);
    finding->line = (int)umsim_line_of(place.line);
}

void umsim_check_barrier(const struct umsim_worker *worker)
{
    const struct umsim_fiber *me = worker->current;
    const struct asked asked = {worker, me->barrier.line};
    const struct umsim_fiber *passed = find(has_passed, &asked),
                             *ended = passed ? passed : find(has_ended, &asked);
    struct umsim_finding finding = {.kind = UMSIM_FOUND_PASSED_BY};
    if (!(umsim_checks & UMSIM_CHECK_RACE))
        return;
    umsim_race_barrier();
    if (!ended)
        return;
    umsim_access_describe(&finding, 0, NULL, false);
    set_place(&finding, me->barrier);
    if (ended->generation > 0 && ended->barrier.line == me->barrier.line)
        finding.bytes = ended->generation;
    struct umsim_message threads = {finding.threads, finding.threads + sizeof finding.threads - 1};
    add_threads(&threads, passed ? has_passed : has_ended, &asked);
    finding.passed = passed;
    if (passed)
        set_condition(&finding, passed, me);
    umsim_finding_note(&finding);
}

void umsim_check_meeting(const struct umsim_worker *worker, const struct umsim_warp *warp,
                         const struct umsim_meeting *meeting, const char *operation)
{
    const unsigned absent = meeting->mask & ~meeting->arrived;
    struct umsim_finding finding = {.kind = UMSIM_FOUND_ABSENT_LANES};
    const size_t first = (size_t)(warp->lanes - worker->fibers);
    if (!(umsim_checks & UMSIM_CHECK_RACE))
        return;
    umsim_race_met((unsigned)first, meeting->arrived);
    if (!absent)
        return;
    umsim_access_describe(&finding, 0, NULL, false);
    set_place(&finding, meeting->place);
    finding.operation = operation;
    const size_t exist = worker->command->threads_a_block - first;
    finding.bytes = exist < UMSIM_WARP_LANES ? exist : UMSIM_WARP_LANES; /* lanes that the warp has */
    for (unsigned i = 0; i < finding.bytes; i++)
        if (absent >> i & 1 && warp->lanes[i].came_to_end)
            finding.address |= 1u << i;
    finding.passed = finding.address;
    if (!finding.passed)
        finding.address = absent;
    umsim_finding_note(&finding);
}
