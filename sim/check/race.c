/**
 * @file race.c
 * @brief Implementation of race.h: shadow words, and the comparison of two accesses.
 */
#include "race.h"
#include "race_memory.h"
#include "access.h"
#include "deferred.h"
#include "order.h"
#include "pretest.h"
#include "quick.h"
#include "releases.h"
#include "finding.h"
#include "shadow_word.h"
#include "units.h"
#include "../worker/worker.h"
#include "../space/arena.h"
#include "../worker/launches.h"
#include "../base/devices.h"
#include "../base/memory.h"
#include "../base/processes.h"

#include <string.h>

/* The current launch and block: one worker runs all. */
static struct {
    uint32_t first_unit, unit;
    uint16_t barrier; /* the block's clock at the current thread's last one (order.h) */
    bool off;         /* more blocks than can be told apart */
    bool block_scope; /* what is made now, atomics and fences, holds for the block only */
    bool goes_on;     /* the block was put aside before */
} now;

/* What shadow words mean. Shared by all processes: a GPU process that is started anew, or is another
 * device's, meets those that others have left. */
static struct meaning {
    uint32_t next_unit; /* the number of the next launch's first block */
    const void *sites[SITES];
} * meaning;

bool umsim_race_start(void)
{
    umsim_race_memory_start();
    umsim_deferred_start();
    umsim_units_start();
    umsim_order_start();
    meaning = umsim_shared_memory(sizeof *meaning);
    if (meaning)
        meaning->next_unit = 1;
    return meaning != NULL;
}

void umsim_race_anew(void)
{
    if (!meaning)
        return;
    umsim_deferred_anew();
    umsim_order_anew();
}

static void forget_everything(void)
{
    umsim_race_forget_all();
    umsim_units_forget();
    umsim_releases_anew();
    meaning->next_unit = 1;
}

void umsim_race_launch(const struct umsim_command *command)
{
    const uint64_t blocks = command->blocks;
    now.off = !umsim_units_started() || blocks >= UNIT_MAX;
    if (now.off)
        return;
    if (blocks > UNIT_MAX - meaning->next_unit)
        forget_everything();
    now.first_unit = meaning->next_unit;
    meaning->next_unit += (uint32_t)blocks;
    umsim_units_launch(command, now.first_unit, meaning->next_unit);
    umsim_order_launch(now.first_unit);
    umsim_pretest_launch(command->kernel.alone != UMSIM_ALONE);
}

void umsim_race_block(uint64_t index, bool goes_on)
{
    umsim_race_settle();
    now.unit = now.first_unit + (uint32_t)index;
    now.goes_on = goes_on;
    if (!now.off)
        umsim_order_block(now.unit, umsim_this_worker->command->threads_a_block, goes_on);
}

void umsim_race_put_aside(void)
{
    if (!now.off)
        umsim_order_put_aside();
}

/* ---- what orders threads ---- */

void umsim_race_barrier(void)
{
    if (!now.off)
        umsim_order_barrier();
}

void umsim_race_met(unsigned first_thread, unsigned lanes)
{
    if (!now.off)
        umsim_order_met(first_thread, lanes);
}

void umsim_race_warp_barrier(void)
{
    if (!now.off)
        umsim_order_warp_barrier(umsim_access_thread());
}

void umsim_race_synchronised(bool whole_block)
{
    if (!now.off)
        umsim_order_synchronised(umsim_access_thread(), whole_block);
}

void umsim_race_flag_read(uintptr_t p)
{
    const struct umsim_arena *arena = umsim_arena_of((const void *)p);
    if (now.off)
        return;
    umsim_units_now->polls = true;
    umsim_units_now->listens |= arena && arena != &umsim_arenas[UMSIM_ARENA_DEVICE];
}

void umsim_race_fence(bool releases)
{
    if (!now.off)
        umsim_order_fence(umsim_access_thread(), releases, now.block_scope);
}

void umsim_race_block_scope(bool is_begun)
{
    now.block_scope = is_begun;
}

void umsim_race_atomic(uintptr_t p, bool is_write, bool is_shared)
{
    const struct umsim_arena *device = &umsim_arenas[UMSIM_ARENA_DEVICE];
    if (now.off)
        return;
    umsim_units_now->talks = true;
    umsim_units_now->polls |= is_write && !is_shared && umsim_arena_of((const void *)p) != device;
    umsim_order_atomic(umsim_access_thread(), p, is_write, !is_shared && !now.block_scope);
}

/* Whether the access in `before` is known to come first. */
static bool is_ordered(const struct umsim_race_access *access, const struct shadow_word *before, unsigned me)
{
    if (before->unit < now.first_unit) /* none, or another launch's */
        return access->is_shared || !umsim_units_unordered(before);
    if (before->unit == now.unit && (before->thread == me || before->epoch < now.barrier))
        return true;
    return (access->is_shared && before->unit != now.unit) ||
           umsim_order_knows(before, me, access->is_atomic);
}

/* ---- places in the program ---- */

static unsigned site_of(const void *pc)
{
    unsigned at = (unsigned)(((uintptr_t)pc * 0x9e3779b97f4a7c15U) >> (64 - SITE_BITS));
    for (unsigned tries = 0; tries < 32; tries++, at++) {
        if (at >= SITES - 1)
            at = 0;
        if (!meaning->sites[at])
            meaning->sites[at] = pc;
        if (meaning->sites[at] == pc)
            return at;
    }
    return SITES - 1;
}

/* ---- reporting ---- */

static struct umsim_toucher toucher_of(const struct shadow_word *shadow, bool is_write)
{
    const struct umsim_command *command = umsim_this_worker->command;
    const struct umsim_units *other = shadow->unit < now.first_unit ? umsim_units_unordered(shadow) : NULL;
    const dim3 grid = other ? other->grid : command->geometry.grid,
               block = other ? other->block : command->geometry.block;
    const unsigned first = other ? other->first : now.first_unit, index = shadow->unit - first,
                   thread = shadow->thread;
    return (struct umsim_toucher){
        .pc = meaning->sites[shadow->site],
        .device = other ? other->device : umsim_own_device,
        .block = {index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y},
        .thread = {thread % block.x, thread / block.x % block.y, thread / block.x / block.y},
        .thread_known = true,
        .is_write = is_write,
        .is_atomic = is_write && shadow->flag};
}

static bool is_one_warp(const struct shadow_word *before)
{
    return before->unit == now.unit && before->thread / 32 == umsim_access_thread() / 32;
}

/* Whether the earlier one's block has made an atomic write since that this one's block has seen. */
static bool lacks_fence(const struct shadow_word *before)
{
    return before->unit != now.unit && before->unit >= now.first_unit && umsim_order_lacks_fence(before);
}

static struct umsim_finding race_between(const struct umsim_race_access *access,
                                         const struct shadow_word *before, bool was_write, bool other_unknown)
{
    struct umsim_finding finding = {.kind = UMSIM_FOUND_RACE, .bytes = access->bytes};
    umsim_access_describe(&finding, access->address, access->pc, access->is_write);
    finding.by.is_atomic = access->is_atomic;
    finding.other = toucher_of(before, was_write);
    finding.other.thread_known = !other_unknown;
    finding.one_warp = !other_unknown && is_one_warp(before);
    finding.one_block = before->unit == now.unit;
    const struct umsim_units *launch = before->unit < now.first_unit ? umsim_units_unordered(before) : NULL;
    if (launch) {
        finding.two_launches = true;
        finding.launched = umsim_this_worker->command->launched;
        finding.other_launched = launch->launched;
    }
    finding.lacks_acquire = !other_unknown && before->unit >= now.first_unit && !access->is_atomic &&
                            umsim_order_knows(before, umsim_access_thread(), true);
    finding.lacks_fence = !other_unknown && lacks_fence(before);
    finding.block_scope = access->is_atomic && now.block_scope && before->unit != now.unit;
    return finding;
}

static void tell(const struct umsim_race_access *access, const struct shadow_word *before, bool was_write,
                 bool other_unknown)
{
    const struct umsim_finding finding = race_between(access, before, was_write, other_unknown);
    umsim_finding_note(&finding);
}

/* A plain read beside an atomic: a race, unless it only tests before one (pretest.h). */
static void suspect(const struct umsim_race_access *access, const struct shadow_word *before, bool was_write,
                    bool other_unknown, unsigned place)
{
    const struct umsim_finding finding = race_between(access, before, was_write, other_unknown);
    umsim_pretest_suspect(&finding, place);
}

/* After two writes: whether the second one changes anything is only known once it has been made. */
static struct {
    bool waits;
    struct umsim_finding finding;
    const void *place;
    size_t bytes;
    unsigned char before[16];
} put_off;

static void tell_later(const struct umsim_race_access *access, const struct shadow_word *before)
{
    umsim_race_settle();
    put_off.finding = race_between(access, before, true, false);
    put_off.place = (const void *)access->address;
    put_off.bytes = access->bytes < sizeof put_off.before ? access->bytes : sizeof put_off.before;
    memcpy(put_off.before, put_off.place, put_off.bytes);
    put_off.waits = true; /* the short way stays closed as long as it does (umsim_race_stands()) */
    umsim_quick_close();
}

void umsim_race_settle(void)
{
    if (put_off.waits && memcmp(put_off.before, put_off.place, put_off.bytes) != 0)
        umsim_finding_note(&put_off.finding);
    put_off.waits = false;
}

/* ---- an access ---- */

static bool overlap(const struct umsim_race_access *access, const struct shadow_word *shadow, unsigned part)
{
    return access->is_shared || part_masks[shadow->part] & part_masks[part];
}

/* A barrier of the warp does not wait for other warps' atomics. */
static bool beside_other_warps(const struct umsim_race_access *access, const struct shadow_word *writer,
                               unsigned me)
{
    return access->is_shared && writer->part == ATOMICS_OF_WARPS && umsim_order_nothing_between(writer, me);
}

static bool shadow_read(const struct umsim_race_access *access, struct shadow_word *shadow,
                        struct shadow_word me, bool told)
{
    const bool is_awaited = access->is_flags && (shadow[0].flag || shadow[0].part == OF_FLAGS);
    if (is_awaited)
        told = true;
    if (!told && !shadow[0].flag && overlap(access, &shadow[0], me.part) &&
        !is_ordered(access, &shadow[0], me.thread)) {
        tell(access, &shadow[0], true, false);
        told = true;
    }
    if (access->is_atomic)
        return told;
    if (!told && shadow[0].flag && overlap(access, &shadow[0], me.part)) {
        const bool others = beside_other_warps(access, &shadow[0], me.thread);
        if (others || !is_ordered(access, &shadow[0], me.thread)) {
            suspect(access, &shadow[0], true, others, me.site);
            told = true;
        }
    }
    /* The first reader stays, as long as it may still race with a writer. */
    const bool same_unit = shadow[1].unit == me.unit;
    const bool earlier_of_warp =
        same_unit && shadow[1].thread / 32 == me.thread / 32 && shadow[1].warp != me.warp;
    const bool may_race =
        shadow[1].unit >= (access->is_shared ? now.unit : now.first_unit)
            ? (!same_unit || umsim_order_same_interval(&shadow[1], now.barrier)) && !earlier_of_warp
            : !access->is_shared && umsim_units_unordered(&shadow[1]);
    const bool stays = may_race && overlap(access, &shadow[1], me.part);
    if (!stays)
        shadow[1] = me;
    else if (!same_unit || shadow[1].thread != me.thread)
        shadow[1].flag = 1;
    return told;
}

static bool shadow_write(const struct umsim_race_access *access, struct shadow_word *shadow,
                         struct shadow_word me, bool told)
{
    const bool is_foreign = now.block_scope && shadow[0].unit != now.unit;
    const bool both_atomic = access->is_atomic && shadow[0].flag && !is_foreign;
    const bool others_read = shadow[1].unit == me.unit && shadow[1].thread == me.thread && shadow[1].flag &&
                             shadow[1].epoch == me.epoch && me.epoch != EPOCH_MAX &&
                             shadow[1].warp == me.warp && me.warp != WARP_MAX;
    if (!told && !both_atomic && overlap(access, &shadow[0], me.part) &&
        !is_ordered(access, &shadow[0], me.thread)) {
        tell_later(access, &shadow[0]);
        told = true;
    }
    const bool is_awaited =
        access->is_shared && (access->is_flags || access->is_atomic) && shadow[1].part == OF_FLAGS;
    if (!told && !is_awaited && !access->is_atomic && overlap(access, &shadow[1], me.part)) {
        if (others_read) {
            tell(access, &shadow[1], false, true);
            told = true;
        } else if (!is_ordered(access, &shadow[1], me.thread)) {
            tell(access, &shadow[1], false, false);
            told = true;
        }
    }
    if (!told && !is_awaited && access->is_atomic && overlap(access, &shadow[1], me.part) &&
        (others_read || !is_ordered(access, &shadow[1], me.thread))) {
        suspect(access, &shadow[1], false, others_read, shadow[1].site);
        told = true;
    }
    /* An atomic write does not replace a plain one, with which others may still race. */
    const bool hides = access->is_atomic && !shadow[0].flag && shadow[0].unit >= now.first_unit &&
                       (!access->is_shared ||
                        (shadow[0].unit == me.unit && umsim_order_same_interval(&shadow[0], now.barrier)));
    me.flag = access->is_atomic;
    if (access->is_shared && both_atomic && umsim_order_nothing_between(&shadow[0], me.thread) &&
        (shadow[0].thread / 32 != me.thread / 32 || shadow[0].part == ATOMICS_OF_WARPS))
        me.part = ATOMICS_OF_WARPS;
    if (!hides)
        shadow[0] = me;
    return told;
}

/* The stamp of the current thread, but for the place. A thread makes many accesses with one. */
static struct shadow_word stamp_of(unsigned thread)
{
    static struct shadow_word stamp;
    static unsigned version;
    if (version != umsim_order_version || stamp.thread != thread || stamp.unit != now.unit) {
        stamp = umsim_order_stamp(thread, &now.barrier);
        version = umsim_order_version;
    }
    return stamp;
}

/* What an access leaves in shadow words, but for the part of the word. */
static struct shadow_word begin(const struct umsim_race_access *access)
{
    const unsigned thread = umsim_access_thread();
    struct shadow_word me = stamp_of(thread);
    me.site = site_of(access->pc);
    if (access->is_atomic)
        umsim_pretest_atomic(thread, now.unit, access->address, site_of);
    else if (!access->is_write)
        umsim_pretest_note(umsim_pretest_reads_of(thread, now.unit), access->address, access->pc);
    return me;
}

static bool shadow_access(const struct umsim_race_access *access, uint64_t *shadow, struct shadow_word me,
                          bool told)
{
    struct shadow_word *words = (struct shadow_word *)shadow;
    return access->is_write ? shadow_write(access, words, me, told) : shadow_read(access, words, me, told);
}

void umsim_race_check(const struct umsim_race_access *access, uint64_t *shadow)
{
    if (now.off || !shadow)
        return;
    struct shadow_word me = begin(access);
    const uintptr_t unit = UMSIM_SHADOWED_BYTES, end = access->address + access->bytes;
    bool told = false;
    for (uintptr_t word = access->address / unit * unit; word < end;
         word += unit, shadow += UMSIM_SHADOW_WORDS) {
        me.part = umsim_part_of(access->address, access->bytes, word);
        told = shadow_access(access, shadow, me, told);
    }
}

/* From now on each byte has its own shadow words. Of a block that was put aside, and beside which another one
 * has used the place, it is not known whether it had. */
static void split(struct umsim_shared_shadow shadow, size_t offset)
{
    if (*shadow.split_in == now.unit)
        return;
    *shadow.split_in = now.unit;
    umsim_deferred_split(offset, now.unit);
    for (int i = 0; i < UMSIM_SHADOWED_BYTES; i++)
        for (int j = 0; j < UMSIM_SHADOW_WORDS; j++)
            shadow.bytes[i * UMSIM_SHADOW_WORDS + j] = now.goes_on ? 0 : shadow.word[j];
}

/* The bytes speak with one voice again, if all have the same shadow words. */
static void join(struct umsim_shared_shadow shadow)
{
    uint64_t differ = 0;
    for (int i = UMSIM_SHADOW_WORDS; i < UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS; i++)
        differ |= shadow.bytes[i] ^ shadow.bytes[i - UMSIM_SHADOW_WORDS];
    if (differ)
        return;
    *shadow.split_in = 0;
    for (int j = 0; j < UMSIM_SHADOW_WORDS; j++)
        shadow.word[j] = shadow.bytes[j];
}

void umsim_race_check_shared(const struct umsim_race_access *access, size_t offset)
{
    if (now.off)
        return;
    struct shadow_word me = begin(access);
    const size_t unit = UMSIM_SHADOWED_BYTES, end = offset + access->bytes;
    bool told = false;
    me.part = access->is_flags ? OF_FLAGS : 0;
    for (size_t at = offset, next; at < end; at = next) {
        umsim_quick_quiet[at / unit] = 0;
        const struct umsim_shared_shadow shadow = umsim_race_shared_shadow(at / unit * unit);
        next = at / unit * unit + unit < end ? at / unit * unit + unit : end;
        if (next - at == unit && *shadow.split_in != now.unit) {
            told = shadow_access(access, shadow.word, me, told);
            continue;
        }
        split(shadow, at);
        for (size_t i = at; i < next; i++)
            told = shadow_access(access, shadow.bytes + i % unit * UMSIM_SHADOW_WORDS, me, told);
        if (next - at == unit)
            join(shadow);
    }
}

bool umsim_race_stands(struct umsim_race_standing *out)
{
    if (now.off)
        return false;
    const struct shadow_word me = stamp_of(umsim_access_thread());
    *out = (struct umsim_race_standing){.unit = now.unit,
                                        .first_unit = now.first_unit,
                                        .barrier = now.barrier,
                                        .is_ordered = !umsim_units_any_unordered(),
                                        .is_uniform = umsim_order_is_uniform()};
    memcpy(&out->stamp, &me, sizeof me);
    return me.epoch != EPOCH_MAX && !put_off.waits;
}

uint64_t umsim_race_site(const void *pc)
{
    const struct shadow_word word = {.site = site_of(pc)};
    uint64_t site;
    memcpy(&site, &word, sizeof site);
    return site;
}
