/**
 * @file order.c
 * @brief Implementation of order.h.
 */
#include "order.h"
#include "access.h"
#include "deferred.h"
#include "quick.h"
#include "releases.h"
#include "../base/memory.h"
#include "../worker/worker.h"

#include <string.h>
#include <sys/mman.h>

/* How often threads may wait for the whole block at objects of libcu++. */
#define PASSES_MAX 255

/* Blocks that are put aside at once; an H200 holds 4,224. */
#define ASIDE 8192
#define ASIDE_TRIES 64

struct thread {
    uint32_t seen, knows; /* ticks: when it last made an atomic access; when it last did so before a fence */
    struct umsim_moment fence, fence_all; /* its last one; its last one that holds for all */
    uint16_t passed, passed_at;           /* how often it has waited at such objects; the clock then */
    uint16_t met_at;                      /* the barrier since which the meetings of its warp are counted */
    uint8_t meetings;
    bool is_untracked; /* it has waited for others in some other way */
    uint32_t record;   /* its last release */
};

struct block {
    uint32_t unit;
    uint16_t clock, barrier; /* now, and at its last barrier */
    uint16_t fenced;         /* at the last barrier before which some thread made a fence for all */
    bool is_used;            /* something was accessed since the clock went on */
    bool has_fenced;         /* since the last barrier, for all */
    uint16_t any_fence;      /* the clock at the last fence of any kind */
    bool has_seen;           /* some thread has made an atomic access */
    bool is_blind;           /* what it knew is lost */
    bool is_untracked;       /* some thread of it is */
    bool varies; /* some threads have passed what others have not; lanes have met since the barrier */
    uint16_t passes, pass_at[PASSES_MAX];
    struct umsim_moment warp_fence[UMSIM_BLOCK_THREADS_MAX / 32]; /* the last fence of each warp */
    struct umsim_knowledge known;
};

struct state {
    struct block block;
    struct thread thread[UMSIM_BLOCK_THREADS_MAX];
};

static struct {
    struct state *state; /* of blocks that are put aside: 0 is no unit */
    bool is_used, was_full;
} aside;

unsigned umsim_order_version;

static struct state now;
static size_t threads_now;

void umsim_order_start(void)
{
    umsim_releases_start();
    aside.state = umsim_shared_memory(ASIDE * sizeof *aside.state);
}

void umsim_order_anew(void)
{
    umsim_releases_anew();
    madvise(aside.state, ASIDE * sizeof *aside.state, MADV_REMOVE);
}

/* What stamps were given holds no longer. */
static void changed(void)
{
    umsim_order_version++;
    umsim_quick.stamped = UMSIM_QUICK_NOBODY;
}

void umsim_order_launch(uint32_t first_unit)
{
    changed();
    umsim_releases_launch(first_unit);
    if (aside.is_used)
        madvise(aside.state, ASIDE * sizeof *aside.state, MADV_REMOVE);
    aside.is_used = aside.was_full = false;
    now.block.unit = 0;
}

/* ---- blocks that are put aside ---- */

static struct state *place_of(uint32_t unit, uint32_t holds)
{
    for (uint32_t i = 0; i < ASIDE_TRIES; i++) {
        struct state *it = &aside.state[(unit + i) % ASIDE];
        if (it->block.unit == holds)
            return it;
    }
    return NULL;
}

static size_t bytes_of(size_t threads)
{
    return offsetof(struct state, thread) + threads * sizeof(struct thread);
}

void umsim_order_put_aside(void)
{
    struct state *place = now.block.unit ? place_of(now.block.unit, 0) : NULL;
    changed();
    aside.is_used = true;
    aside.was_full |= !place;
    if (place)
        memcpy(place, &now, bytes_of(threads_now));
    now.block.unit = 0;
}

void umsim_order_block(uint32_t unit, size_t threads, bool goes_on)
{
    if (goes_on && now.block.unit == unit)
        return;
    struct state *place = goes_on && aside.is_used ? place_of(unit, unit) : NULL;
    changed();
    threads_now = threads;
    if (place) {
        memcpy(&now, place, bytes_of(threads));
        place->block.unit = 0;
        return;
    }
    memset(&now, 0, bytes_of(threads));
    now.block.unit = unit;
    now.block.is_blind = goes_on && aside.was_full;
}

/* ---- the clock ---- */

static uint16_t larger(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

static void tick(void)
{
    changed();
    if (now.block.is_used && now.block.clock < EPOCH_MAX)
        now.block.clock++;
    now.block.is_used = false;
}

/* The clock at the thread's last barrier. */
static uint16_t barrier_of(unsigned me)
{
    return larger(now.block.barrier, now.thread[me].passed_at);
}

static uint8_t meetings_of(unsigned me)
{
    return now.thread[me].met_at == barrier_of(me) ? now.thread[me].meetings : 0;
}

struct shadow_word umsim_order_stamp(unsigned me, uint16_t *barrier)
{
    now.block.is_used = true;
    *barrier = barrier_of(me);
    return (struct shadow_word){.unit = now.block.unit,
                                .thread = me,
                                .epoch = now.thread[me].is_untracked ? EPOCH_MAX : now.block.clock,
                                .warp = meetings_of(me)};
}

bool umsim_order_is_uniform(void)
{
    return !now.block.varies;
}

bool umsim_order_nothing_between(const struct shadow_word *before, unsigned me)
{
    return before->unit == now.block.unit && umsim_order_same_interval(before, barrier_of(me)) &&
           now.block.any_fence <= barrier_of(me) && !now.thread[me].is_untracked && !now.block.is_blind;
}

/* ---- what threads do ---- */

void umsim_order_barrier(void)
{
    umsim_deferred_barrier();
    /* threads of which nothing is known, and passes, stay; meetings are counted from the barrier on */
    now.block.varies &= now.block.passes || !now.block.is_used || now.block.is_untracked;
    tick();
    now.block.barrier = now.block.clock;
    if (now.block.has_fenced)
        now.block.fenced = now.block.clock;
    now.block.has_fenced = false;
    umsim_releases_acquire(&now.block.known);
}

void umsim_order_met(unsigned first_thread, unsigned lanes)
{
    uint32_t seen = 0;
    for (unsigned rest = now.block.has_seen ? lanes : 0; rest; rest &= rest - 1) {
        const struct thread *it = &now.thread[first_thread + (unsigned)__builtin_ctz(rest)];
        seen = it->seen > seen ? it->seen : seen;
    }
    for (unsigned rest = seen ? lanes : 0; rest; rest &= rest - 1) {
        struct thread *it = &now.thread[first_thread + (unsigned)__builtin_ctz(rest)];
        it->seen = it->knows = seen;
    }
    umsim_releases_acquire(&now.block.known);
}

void umsim_order_warp_barrier(unsigned me)
{
    const uint8_t before = meetings_of(me);
    changed();
    now.block.varies = true;
    now.thread[me].met_at = barrier_of(me);
    now.thread[me].meetings = before < WARP_MAX ? before + 1 : before;
}

/* If only some of a block use an object, nobody follows who waits for whom there. */
void umsim_order_synchronised(unsigned me, bool whole_block)
{
    struct thread *it = &now.thread[me];
    it->knows = it->seen;
    umsim_releases_acquire(&now.block.known);
    changed();
    now.block.varies = true;
    it->is_untracked |= !whole_block || it->passed == PASSES_MAX;
    now.block.is_untracked |= it->is_untracked;
    if (it->is_untracked)
        return;
    if (it->passed == now.block.passes) { /* the first to come by */
        tick();
        now.block.pass_at[now.block.passes++] = now.block.clock;
    }
    it->passed_at = now.block.pass_at[it->passed++];
}

void umsim_order_fence(unsigned me, bool releases, bool of_block)
{
    struct thread *it = &now.thread[me];
    it->knows = it->seen;
    if (!of_block)
        umsim_releases_acquire(&now.block.known);
    if (!releases)
        return;
    tick();
    now.block.any_fence = now.block.clock;
    it->fence = (struct umsim_moment){
        .clock = now.block.clock, .barrier = barrier_of(me), .warp = meetings_of(me), .is_made = true};
    if (of_block)
        return;
    it->fence_all = it->fence;
    now.block.has_fenced = true;
    now.block.warp_fence[me / 32] = it->fence;
}

/* A lane's fence counts for what other lanes do after their next meeting, a thread's for what others do
 * after their next barrier: fence, barrier, atomic by one of them. */
static struct umsim_moment with_others(struct umsim_moment fence, unsigned me)
{
    const struct umsim_moment of_warp = now.block.warp_fence[me / 32];
    const uint8_t met = meetings_of(me);
    if (now.block.fenced) {
        fence.is_made = true;
        fence.barrier = larger(fence.barrier, now.block.fenced);
    }
    if (of_warp.is_made && of_warp.barrier == barrier_of(me) && of_warp.warp < met) {
        if (!fence.is_made || fence.barrier != of_warp.barrier || fence.warp <= of_warp.warp)
            fence.warp = (uint8_t)(of_warp.warp + 1);
        fence.barrier = larger(fence.barrier, of_warp.barrier);
        fence.is_made = true;
    }
    return fence;
}

void umsim_order_atomic(unsigned me, uintptr_t p, bool is_write, bool for_all)
{
    struct thread *it = &now.thread[me];
    it->seen = umsim_releases_tick();
    if (for_all)
        umsim_releases_see(&now.block.known, p);
    now.block.has_seen = true;
    if (!is_write || (!for_all && !it->fence.is_made))
        return;
    if (!it->fence.is_made && !now.block.fenced && !now.block.warp_fence[me / 32].is_made) {
        umsim_releases_none(now.block.unit);
        return;
    }
    struct umsim_release release = {.thread = (uint16_t)me, .at = now.block.clock, .fence = it->fence};
    if (for_all) {
        release.fence_all = with_others(it->fence_all, me);
        release.fence = with_others(it->fence, me);
    }
    it->seen = umsim_releases_add(now.block.unit, &release, p, &now.block.known, &it->record);
}

/* ---- the question ---- */

static bool within_block(const struct shadow_word *before, unsigned me, bool is_flag)
{
    if (before->thread == me || before->epoch == EPOCH_MAX || now.thread[me].is_untracked ||
        before->epoch < barrier_of(me))
        return true;
    if (before->thread / 32 == me / 32 && (before->warp != meetings_of(me) || before->warp == WARP_MAX))
        return true;
    return umsim_releases_within(before, is_flag ? now.thread[me].seen : now.thread[me].knows);
}

bool umsim_order_knows(const struct shadow_word *before, unsigned me, bool is_flag)
{
    if (now.block.is_blind)
        return true;
    return before->unit == now.block.unit ? within_block(before, me, is_flag)
                                          : umsim_releases_between(before, &now.block.known, is_flag);
}

bool umsim_order_lacks_fence(const struct shadow_word *before)
{
    return umsim_releases_without_fence(before, &now.block.known);
}
