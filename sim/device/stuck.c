/**
 * @file stuck.c
 * @brief Implementation of stuck.h: finds the threads that wait, and writes the line that names them.
 */
#include "stuck.h"
#include "../base/mode.h"
#include "../check/barrier.h"
#include "../worker/message.h"
#include "../worker/worker.h"
#include "../worker/fail.h"
#include "../include/umsim/types_error.h"

static const char *const names[] = {
    [UMSIM_SYNCWARP] = "__syncwarp",
    [UMSIM_SHFL] = "__shfl_sync",
    [UMSIM_SHFL_UP] = "__shfl_up_sync",
    [UMSIM_SHFL_DOWN] = "__shfl_down_sync",
    [UMSIM_SHFL_XOR] = "__shfl_xor_sync",
    [UMSIM_ALL] = "__all_sync",
    [UMSIM_ANY] = "__any_sync",
    [UMSIM_BALLOT] = "__ballot_sync",
    [UMSIM_MATCH_ANY] = "__match_any_sync",
    [UMSIM_MATCH_ALL] = "__match_all_sync",
    [UMSIM_REDUCE_ADD] = "__reduce_add_sync",
    [UMSIM_REDUCE_MIN] = "__reduce_min_sync",
    [UMSIM_REDUCE_MAX] = "__reduce_max_sync",
    [UMSIM_REDUCE_MIN_SIGNED] = "__reduce_min_sync",
    [UMSIM_REDUCE_MAX_SIGNED] = "__reduce_max_sync",
    [UMSIM_REDUCE_AND] = "__reduce_and_sync",
    [UMSIM_REDUCE_OR] = "__reduce_or_sync",
    [UMSIM_REDUCE_XOR] = "__reduce_xor_sync",
    [UMSIM_PRODUCT] = "mma_sync",
};

const char *umsim_operation_name(enum umsim_warp_operation operation)
{
    return names[operation];
}

static void add_mask(struct umsim_message *line, unsigned mask)
{
    char digits[] = "0x00000000";
    for (int i = 9; i > 1; i--, mask >>= 4)
        digits[i] = "0123456789abcdef"[mask & 15];
    umsim_message_add(line, " with the mask ");
    umsim_message_add(line, digits);
}

static void add_index(struct umsim_message *line, const char *what, uint3 index)
{
    umsim_message_add(line, what);
    umsim_message_add_number(line, index.x);
    umsim_message_add(line, ",");
    umsim_message_add_number(line, index.y);
    umsim_message_add(line, ",");
    umsim_message_add_number(line, index.z);
}

/* The file without its folders, because the message has to fit. */
static void add_place(struct umsim_message *line, struct umsim_place_in_source place)
{
    const char *name = place.file;
    for (const char *c = name; *c; c++)
        if (*c == '/')
            name = c + 1;
    umsim_message_add(line, " at ");
    umsim_message_add(line, name);
    umsim_message_add(line, ":");
    umsim_message_add_number(line, umsim_line_of(place.line));
    if (place.line >> UMSIM_LINE_BITS) {
        umsim_message_add(line, ", number ");
        umsim_message_add_number(line, (place.line >> UMSIM_LINE_BITS) + 1);
        umsim_message_add(line, " of the line");
    }
}

/* `lanes 0-3, 7` */
static void add_lanes(struct umsim_message *line, unsigned lanes)
{
    umsim_message_add(line, lanes & (lanes - 1) ? "lanes " : "lane ");
    const char *comma = "";
    for (unsigned first = 0; first < UMSIM_WARP_LANES; first++) {
        if (!(lanes >> first & 1))
            continue;
        unsigned last = first;
        while (last + 1 < UMSIM_WARP_LANES && lanes >> (last + 1) & 1)
            last++;
        umsim_message_add(line, comma);
        umsim_message_add_number(line, first);
        if (last > first) {
            umsim_message_add(line, "-");
            umsim_message_add_number(line, last);
        }
        comma = ", ";
        first = last;
    }
}

static void add_meeting(struct umsim_message *line, const struct umsim_meeting *meeting)
{
    umsim_message_add(line, names[meeting->operation]);
    add_place(line, meeting->place);
    add_mask(line, meeting->mask);
}

__attribute__((noreturn)) static void fail(struct umsim_worker *worker)
{
    umsim_gpu_fail(worker, cudaErrorLaunchFailure, worker->message);
}

void umsim_fail_unseen(struct umsim_worker *worker)
{
    umsim_gpu_fail(worker, cudaErrorLaunchFailure,
                   "reached a barrier or a warp operation that umcc did not see (through a function pointer, "
                   "perhaps)");
}

void umsim_fail_mask(struct umsim_worker *worker, enum umsim_warp_operation operation, unsigned mask,
                     struct umsim_place_in_source place)
{
    if (!worker->current)
        umsim_fail_unseen(worker);
    struct umsim_message line = umsim_message_of(worker);
    umsim_message_add(&line, "called ");
    umsim_message_add(&line, names[operation]);
    add_place(&line, place);
    add_mask(&line, mask);
    umsim_message_add(&line, " in lane ");
    umsim_message_add_number(&line, worker->current->lane);
    add_index(&line, " (block ", worker->block_index);
    add_index(&line, " thread ", worker->current->index);
    umsim_message_add(
        &line, "), which the mask does not name.\n  instead  name in the mask all lanes that call, the "
               "caller among them");
    fail(worker);
}

void umsim_fail_operations(struct umsim_worker *worker, const struct umsim_meeting *meeting,
                           enum umsim_warp_operation operation, struct umsim_place_in_source place)
{
    struct umsim_message line = umsim_message_of(worker);
    umsim_message_add(&line, "let lanes of one mask call different operations: ");
    add_meeting(&line, meeting);
    add_index(&line, ", but thread ", worker->current->index);
    add_index(&line, " of block ", worker->block_index);
    umsim_message_add(&line, " called ");
    umsim_message_add(&line, names[operation]);
    add_place(&line, place);
    umsim_message_add(&line, ".\n  instead  let all lanes that a mask names call the same");
    fail(worker);
}

/* A thread that already stands at the barrier. */
static const struct umsim_fiber *first_at_barrier(const struct umsim_worker *worker)
{
    const struct umsim_fiber *it = worker->current;
    do
        it = it->next;
    while (it != worker->current &&
           (it->generation != worker->generation || it->barrier.line != worker->barrier.line));
    return it;
}

void umsim_fail_divergent(struct umsim_worker *worker, struct umsim_place_in_source place)
{
    struct umsim_message line = umsim_message_of(worker);
    umsim_message_add(&line, "let threads of a ");
    umsim_message_add(&line, umsim_checks || worker->is_of_grid ? "block" : "warp");
    umsim_message_add(&line, " wait at different barriers, which ");
    umsim_message_add(&line, umsim_checks ? "CUDA leaves undefined" : "hangs on a GPU");
    add_index(&line, ": in block ", worker->block_index);
    add_index(&line, " thread ", first_at_barrier(worker)->index);
    umsim_message_add(&line, " waits");
    add_place(&line, worker->barrier);
    add_index(&line, ", thread ", worker->current->index);
    add_place(&line, place);
    if (umsim_checks) { /* all of them have come */
        umsim_message_add(&line, ": ");
        umsim_barrier_add_threads(&line, worker, place.line);
        umsim_message_add(&line, " passed it by");
    }
    umsim_message_add(
        &line, ".\n  instead  let every thread of the block that has not ended come to the same barrier");
    fail(worker);
}

static const struct umsim_meeting *meeting_of(const struct umsim_warp *warp, unsigned lane)
{
    for (unsigned rest = warp->open; rest; rest &= rest - 1)
        if (warp->meeting[__builtin_ctz(rest)].arrived >> lane & 1)
            return &warp->meeting[__builtin_ctz(rest)];
    return NULL;
}

static const struct umsim_warp *stuck_warp(const struct umsim_worker *worker)
{
    const struct umsim_warp *warp = worker->warps;
    while (!warp->open)
        warp++;
    return warp;
}

void umsim_fail_stuck(struct umsim_worker *worker)
{
    const struct umsim_warp *warp = stuck_warp(worker);
    const struct umsim_meeting *meeting = &warp->meeting[__builtin_ctz(warp->open)];
    const unsigned missing = meeting->mask & warp->alive & ~meeting->arrived;
    const unsigned waits = (unsigned)__builtin_ctz(meeting->arrived),
                   misses = (unsigned)__builtin_ctz(missing);
    const struct umsim_meeting *other = meeting_of(warp, misses);
    struct umsim_message line = umsim_message_of(worker);
    add_index(&line, "would hang on a GPU: in block ", worker->block_index);
    add_index(&line, " thread ", warp->lanes[waits].index);
    umsim_message_add(&line, " waits in ");
    add_meeting(&line, meeting);
    umsim_message_add(&line, " for ");
    add_lanes(&line, missing);
    add_index(&line, " of its warp, but thread ", warp->lanes[misses].index);
    umsim_message_add(&line, other ? " waits in " : " waits at the barrier");
    if (other)
        add_meeting(&line, other);
    else
        add_place(&line, worker->barrier);
    umsim_message_add(&line, ".\n  instead  name in the mask the lanes that come, no others");
    worker->current = &worker->fibers[&warp->lanes[waits] - worker->fibers];
    fail(worker);
}

static void fail_product(struct umsim_worker *worker, struct umsim_place_in_source place)
{
    struct umsim_message line = umsim_message_of(worker);
    umsim_message_add(&line, "called mma_sync");
    add_place(&line, place);
    add_index(&line, " in a warp that is not whole, which is undefined: that of block ", worker->block_index);
    add_index(&line, " thread ", worker->current->index);
    umsim_message_add(&line, " lacks ");
    add_lanes(&line, ~worker->current->warp->alive);
    umsim_message_add(
        &line,
        ".\n  instead  launch blocks of a multiple of 32 threads, and let all of a warp come to mma_sync");
    fail(worker);
}

void umsim_product_fails(const char *file, int line)
{
    fail_product(umsim_this_worker, (struct umsim_place_in_source){file, line});
}

void umsim_fail_waiting(struct umsim_worker *worker)
{
    struct umsim_fiber *first = worker->fibers;
    unsigned others = 0;
    while (!first->awaited)
        first++;
    for (size_t i = 0; i < worker->command->threads_a_block; i++)
        others += worker->fibers[i].awaited != NULL;
    const struct umsim_awaited *awaited = first->awaited;
    struct umsim_message line = umsim_message_of(worker);
    add_index(&line, "would hang on a GPU: in block ", worker->block_index);
    add_index(&line, " thread ", first->index);
    umsim_message_add(&line, " waits in ");
    umsim_message_add(&line, awaited->what);
    add_place(&line, (struct umsim_place_in_source){awaited->file, awaited->line});
    if (awaited->missing) {
        umsim_message_add(&line, " for ");
        umsim_message_add_number(&line, awaited->missing);
        umsim_message_add(&line, " more to come");
    }
    umsim_message_add(&line, ", but nobody is left who could: ");
    umsim_message_add_number(&line, others);
    umsim_message_add(&line, others == 1 ? " thread waits" : " threads wait");
    umsim_message_add(&line,
                      " so, the others have ended or wait elsewhere.\n"
                      "  instead  let as many arrive as the object was made for, or make it for fewer");
    worker->current = first;
    fail(worker);
}

void umsim_fail_grid(struct umsim_worker *worker, uint64_t ended)
{
    struct umsim_message line = umsim_message_of(worker);
    add_index(&line, "would hang on a GPU: block ", worker->block_index);
    umsim_message_add(&line, " waits in grid.sync()");
    add_place(&line, worker->barrier);
    umsim_message_add(&line, ", but ");
    umsim_message_add_number(&line, (unsigned)ended);
    umsim_message_add(&line, ended == 1 ? " block has ended" : " blocks have ended");
    umsim_message_add(&line, ".\n  instead  let every block of the grid come to the same grid.sync()");
    worker->current = worker->fibers; /* of several workers' reports, the one of the lowest block counts */
    fail(worker);
}

void umsim_fail_no_grid(struct umsim_worker *worker, struct umsim_place_in_source place)
{
    struct umsim_message line = umsim_message_of(worker);
    umsim_message_add(&line, "called grid.sync()");
    add_place(&line, place);
    umsim_message_add(&line, ", but its blocks need not run at the same time.\n"
                             "  instead  launch it with cudaLaunchCooperativeKernel()");
    fail(worker);
}
