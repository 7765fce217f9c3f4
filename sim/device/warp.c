/**
 * @file warp.c
 * @brief What the lanes of a warp do together (umsim/abi.h; the ring is in fiber.h).
 *
 * Lanes that call with the same mask meet. Each lane leaves its value with the warp and is blocked. The last
 * one to come works out everybody's result, and all go on in the order of their lanes. So a lane that runs
 * ahead overwrites nothing that another lane has yet to read, and lanes of other branches may meet at the
 * same time under other masks. A lane that has ended counts as present, as on hardware.
 */
#include "../base/machine.h"
#include "../base/mode.h"
#include "../check/barrier.h"
#include "../count/count.h"
#include "../devlib/mma.h"
#include "stuck.h"
#include "../worker/worker.h"
#include "../check/check.h"

static struct umsim_fiber *lane_of(const struct umsim_warp *warp, unsigned lane)
{
    return &warp->lanes[lane];
}

static void exchange(struct umsim_warp *warp, unsigned lanes)
{
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest), source = warp->source[lane];
        lane_of(warp, lane)->result = lanes >> source & 1 ? warp->value[source] : 0;
    }
}

static unsigned lanes_with(const struct umsim_warp *warp, unsigned lanes, uint64_t value)
{
    unsigned found = 0;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        found |= (unsigned)(warp->value[lane] == value) << lane;
    }
    return found;
}

/* The loop runs once for each value, not for each lane. */
static void match_any(struct umsim_warp *warp, unsigned lanes)
{
    while (lanes) {
        const unsigned same = lanes_with(warp, lanes, warp->value[__builtin_ctz(lanes)]);
        for (unsigned rest = same; rest; rest &= rest - 1)
            lane_of(warp, (unsigned)__builtin_ctz(rest))->result = same;
        lanes &= ~same;
    }
}

static uint32_t combine(enum umsim_warp_operation operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case UMSIM_REDUCE_ADD:
        return a + b;
    case UMSIM_REDUCE_MIN:
        return a < b ? a : b;
    case UMSIM_REDUCE_MAX:
        return a > b ? a : b;
    case UMSIM_REDUCE_MIN_SIGNED:
        return (int32_t)a < (int32_t)b ? a : b;
    case UMSIM_REDUCE_MAX_SIGNED:
        return (int32_t)a > (int32_t)b ? a : b;
    case UMSIM_REDUCE_AND:
        return a & b;
    case UMSIM_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint32_t reduce(const struct umsim_warp *warp, enum umsim_warp_operation operation, unsigned lanes)
{
    uint32_t result = (uint32_t)warp->value[__builtin_ctz(lanes)];
    for (unsigned rest = lanes & (lanes - 1); rest; rest &= rest - 1)
        result = combine(operation, result, (uint32_t)warp->value[__builtin_ctz(rest)]);
    return result;
}

/* Does nothing if lanes have ended or never existed; the caller then fails. */
static uint64_t multiply(const struct umsim_warp *warp, unsigned lanes)
{
    if (~lanes)
        return 0;
    umsim_multiply(warp->value);
    return 1;
}

/* The result of an operation that has the same result for all lanes. */
static uint64_t common_result(const struct umsim_warp *warp, enum umsim_warp_operation operation,
                              unsigned lanes)
{
    switch (operation) {
    case UMSIM_SYNCWARP:
        return 0;
    case UMSIM_ALL:
        return lanes_with(warp, lanes, 0) == 0;
    case UMSIM_ANY:
        return lanes_with(warp, lanes, 0) != lanes;
    case UMSIM_BALLOT:
        return lanes & ~lanes_with(warp, lanes, 0);
    case UMSIM_MATCH_ALL:
        return lanes_with(warp, lanes, warp->value[__builtin_ctz(lanes)]) == lanes ? lanes : 0;
    case UMSIM_PRODUCT:
        return multiply(warp, lanes);
    default:
        return reduce(warp, operation, lanes);
    }
}

static void work_out(struct umsim_warp *warp, enum umsim_warp_operation operation, unsigned lanes)
{
    if (operation >= UMSIM_SHFL && operation <= UMSIM_SHFL_XOR) {
        exchange(warp, lanes);
    } else if (operation == UMSIM_MATCH_ANY) {
        match_any(warp, lanes);
    } else {
        const uint64_t result = common_result(warp, operation, lanes);
        for (unsigned rest = lanes; rest; rest &= rest - 1)
            lane_of(warp, (unsigned)__builtin_ctz(rest))->result = result;
    }
}

static enum umsim_counts_meeting kind_of(enum umsim_warp_operation operation)
{
    switch (operation) {
    case UMSIM_SYNCWARP:
    case UMSIM_ALL:
    case UMSIM_ANY:
    case UMSIM_BALLOT:
        return UMSIM_COUNTS_VOTES;
    case UMSIM_PRODUCT:
        return UMSIM_COUNTS_PRODUCTS;
    default:
        return operation >= UMSIM_REDUCE_ADD ? UMSIM_COUNTS_SUMS : UMSIM_COUNTS_SHUFFLES;
    }
}

/* Puts blocked lanes back into the ring, in order, behind `after`. @return the last of them, or `after` */
static struct umsim_fiber *unblock(struct umsim_worker *worker, struct umsim_warp *warp, unsigned lanes,
                                   struct umsim_fiber *after)
{
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        struct umsim_fiber *it = lane_of(warp, (unsigned)__builtin_ctz(rest));
        it->blocked = UMSIM_NOT_BLOCKED;
        umsim_ring_enter(it, after);
        after = it;
    }
    worker->blocked -= (unsigned)__builtin_popcount(lanes);
    return after;
}

static bool is_complete(const struct umsim_warp *warp, const struct umsim_meeting *meeting)
{
    return (meeting->mask & warp->alive & ~meeting->arrived) == 0;
}

static void check_meeting(const struct umsim_worker *worker, const struct umsim_warp *warp,
                          const struct umsim_meeting *meeting)
{
    umsim_check_meeting(worker, warp, meeting, umsim_operation_name(meeting->operation));
}

/* Finds the meeting with this mask, or makes one. */
static unsigned find_meeting(struct umsim_warp *warp, unsigned mask)
{
    for (unsigned rest = warp->open; rest; rest &= rest - 1)
        if (warp->meeting[__builtin_ctz(rest)].mask == mask)
            return (unsigned)__builtin_ctz(rest);
    const unsigned free = (unsigned)__builtin_ctz(~warp->open);
    warp->open |= 1u << free;
    warp->meeting[free].mask = mask;
    warp->meeting[free].arrived = 0;
    return free;
}

/* Blocks this thread and runs the next one in the ring. */
static void block(struct umsim_worker *worker, struct umsim_fiber *me, enum umsim_blocked why)
{
    me->blocked = why;
    worker->blocked++;
    if (me->next == me)
        umsim_release_gathering(worker, me);
    struct umsim_fiber *next = me->next;
    if (me->blocked != UMSIM_NOT_BLOCKED)
        umsim_ring_leave(me);
    if (next != me)
        umsim_fiber_switch(worker, me, next);
}

/* `me` is the last lane to come. Lower lanes run before it. */
static void complete(struct umsim_worker *worker, struct umsim_fiber *me, unsigned number)
{
    struct umsim_warp *warp = me->warp;
    const unsigned arrived = warp->meeting[number].arrived, own = 1u << me->lane;
    if (umsim_checks)
        check_meeting(worker, warp, &warp->meeting[number]);
    warp->open &= ~(1u << number);
    umsim_count_meeting(worker, kind_of(warp->meeting[number].operation));
    work_out(warp, warp->meeting[number].operation, arrived);
    unblock(worker, warp, arrived & ~(own | (own - 1)), me);
    const unsigned lower = arrived & (own - 1);
    if (lower) {
        unblock(worker, warp, lower, me->previous);
        umsim_fiber_switch(worker, me, lane_of(warp, (unsigned)__builtin_ctz(lower)));
    }
}

uint64_t umsim_warp(enum umsim_warp_operation operation, unsigned mask, uint64_t value, unsigned source,
                    const char *file, int line)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_fiber *me = worker->current;
    const struct umsim_place_in_source place = {file, line};
    if (__builtin_expect(!me || !(mask >> me->lane & 1), 0))
        umsim_fail_mask(worker, operation, mask, place);
    struct umsim_warp *warp = me->warp;
    const unsigned number = find_meeting(warp, mask);
    struct umsim_meeting *meeting = &warp->meeting[number];
    if (meeting->arrived == 0) {
        meeting->operation = operation;
        meeting->place = place;
    } else if (__builtin_expect(meeting->operation != operation, 0)) {
        umsim_fail_operations(worker, meeting, operation, place);
    }
    meeting->arrived |= 1u << me->lane;
    warp->value[me->lane] = value;
    warp->source[me->lane] = (unsigned char)source;
    if (is_complete(warp, meeting))
        complete(worker, me, number);
    else
        block(worker, me, UMSIM_IN_MEETING);
    /* Votes and shuffles order no memory (CUDA C++ Programming Guide, on both). */
    if (operation == UMSIM_SYNCWARP || operation == UMSIM_PRODUCT)
        umsim_check_warp();
    return me->result;
}

void umsim_warp_lane_ends(struct umsim_worker *worker, struct umsim_fiber *me)
{
    struct umsim_warp *warp = me->warp;
    warp->alive &= ~(1u << me->lane);
    struct umsim_fiber *after = me;
    for (unsigned rest = warp->open; rest; rest &= rest - 1) {
        struct umsim_meeting *meeting = &warp->meeting[__builtin_ctz(rest)];
        if (!is_complete(warp, meeting))
            continue;
        warp->open &= ~(rest & -rest);
        if (umsim_checks)
            check_meeting(worker, warp, meeting);
        umsim_count_meeting(worker, kind_of(meeting->operation));
        work_out(warp, meeting->operation, meeting->arrived);
        after = unblock(worker, warp, meeting->arrived, after);
    }
}

/* Tells each lane which others have come to the same call, before any of them goes on and calls again. */
static struct umsim_fiber *release_warp(struct umsim_worker *worker, struct umsim_warp *warp,
                                        struct umsim_fiber *after)
{
    const unsigned lanes = warp->gathering;
    const struct umsim_fiber *me = worker->current;
    const unsigned mine = me && me->warp == warp && me->blocked ? 1u << me->lane : 0;
    warp->gathering = 0;
    match_any(warp, lanes);
    return unblock(worker, warp, lanes & ~mine, after);
}

struct umsim_fiber *umsim_release_gathering(struct umsim_worker *worker, struct umsim_fiber *after)
{
    struct umsim_fiber *me = worker->current, *last = after;
    const size_t threads = worker->command->threads_a_block;
    const bool i_gather = me->blocked == UMSIM_GATHERING;
    umsim_judge_waits(worker);
    for (size_t first = 0; first < threads; first += UMSIM_WARP_LANES) {
        struct umsim_warp *warp = &worker->warps[first / UMSIM_WARP_LANES];
        if (warp->gathering)
            last = release_warp(worker, warp, last);
    }
    if (i_gather) {
        me->blocked = UMSIM_NOT_BLOCKED;
        worker->blocked--;
    } else if (last == after) {
        umsim_fail_stuck(worker);
    }
    return after->next;
}

uint64_t umsim_gather(uint64_t key)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_fiber *me = worker->current;
    worker->waits.asking++;
    me->warp->value[me->lane] = key;
    me->warp->gathering |= 1u << me->lane;
    block(worker, me, UMSIM_GATHERING);
    return me->result;
}

__attribute__((noinline)) unsigned umsim_activemask(void)
{
    if (!umsim_this_worker->current)
        umsim_fail_unseen(umsim_this_worker);
    return (unsigned)umsim_gather((uintptr_t)__builtin_return_address(0));
}

unsigned umsim_lane(void)
{
    const struct umsim_fiber *me = umsim_this_worker->current;
    return me ? me->lane : 0;
}

unsigned umsim_multiprocessors(void)
{
    return (unsigned)umsim_machine_of(umsim_own_device)->attributes.multiprocessor_count;
}

unsigned umsim_multiprocessor(void)
{
    const dim3 grid = umsim_builtins.grid_dim;
    const uint3 block = umsim_builtins.block_index;
    const uint64_t number = ((uint64_t)block.z * grid.y + block.y) * grid.x + block.x;
    return (unsigned)(number % umsim_multiprocessors());
}
