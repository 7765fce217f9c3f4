/**
 * @file recall.c
 * @brief Implementation of recall.h: a table of launches with what they left, and what may be spent on it.
 */
#include "recall.h"
#include "../base/libc.h"
#include "../base/limits.h"
#include "../base/mode.h"
#include "../base/processes.h"
#include "../base/sticky.h"
#include "../devlib/texture.h"
#include "../space/contents.h"
#include "../space/heap.h"
#include "../space/managed.h"
#include "../space/registry.h"

#include <stdlib.h>
#include <string.h>

/** Launches that are known at a time; a power of 2. */
#define KNOWN_MAX 256
/** Of each: how often it was seen to run from other contents. */
#define OUTCOMES_MAX 4
/** A launch that took less is run rather than compared. */
#define SLOW_NS UINT64_C(1000000)
/** Comparing takes at most this part of the time that kernels took, or would have taken. */
#define SHARE 8
/** Nanoseconds to read a byte, until it is known. */
#define FIRST_RATE 0.25
/** The most that one launch's changes, and those of all, may take to keep. */
#define CHANGED_MAX ((size_t)16 << 20)
#define KEPT_MAX ((size_t)64 << 20)

/* What a launch left when it found the contents `before`. */
struct outcome {
    bool is_known, is_measured;
    uint64_t before, ns;
    struct umsim_measured measured;
    struct umsim_counts *counts; /* NULL: they were not taken */
    size_t count, bytes;
    struct umsim_part *part; /* what it changed; behind them all their bytes */
};

struct known {
    uint64_t key[2], runs, ns; /* ns: the latest run took so long */
    unsigned next;             /* the outcome that is forgotten next */
    struct outcome outcome[OUTCOMES_MAX];
};

static enum umsim_recall_mode mode;
static struct known *table; /* NULL: no launch has been slow */
static size_t waiting, kept_bytes;
static bool knows_any;
static struct umsim_contents before, after;
static uint64_t changes_before;

/* What was spent and gained, in real time. */
static struct {
    uint64_t ran_ns, saved_ns, read_ns, read_bytes;
} account;

void umsim_recall_set(enum umsim_recall_mode wanted)
{
    mode = wanted;
}

/* ---- what may be compared, and whether that is worth its time ---- */

static bool can(unsigned device)
{
    return mode != UMSIM_RECALL_NEVER && umsim_devices == 1 && !umsim_is_grading() && !umsim_checks &&
           !umsim_managed_in_use() && !umsim_textures_used() && !umsim_heap_used(device);
}

static bool is_affordable(size_t bytes)
{
    const double rate =
        account.read_bytes ? (double)account.read_ns / (double)account.read_bytes : FIRST_RATE;
    const double spent = (double)account.read_ns + rate * (double)bytes;
    return !bytes || mode == UMSIM_RECALL_ALWAYS ||
           spent * SHARE <= (double)account.ran_ns + (double)account.saved_ns;
}

static bool is_slow(uint64_t ns)
{
    return ns >= SLOW_NS || mode == UMSIM_RECALL_ALWAYS;
}

static void read_contents(struct umsim_contents *now, size_t unread)
{
    const uint64_t from_ns = unread ? umsim_real_ns() : 0;
    umsim_contents_take(now);
    if (!unread)
        return;
    account.read_ns += umsim_real_ns() - from_ns;
    account.read_bytes += unread;
}

/* ---- the table ---- */

static void mix(uint64_t key[2], uint64_t word)
{
    key[0] = (key[0] ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    key[0] ^= key[0] >> 29;
    key[1] = (key[1] ^ (word << 32 | word >> 32)) * UINT64_C(0xc2b2ae3d27d4eb4f);
    key[1] ^= key[1] >> 31;
}

static void make_key(const struct umsim_launch_request *launch, uint64_t key[2])
{
    const dim3 grid = launch->geometry.grid, block = launch->geometry.block;
    const uint64_t words[] = {(uintptr_t)launch->kernel->blocks,
                              (uintptr_t)launch->kernel->thread,
                              launch->dynamic_shared,
                              launch->cooperative,
                              (uint64_t)grid.y << 32 | grid.x,
                              grid.z,
                              (uint64_t)block.y << 32 | block.x,
                              block.z,
                              launch->closure_bytes,
                              umsim_device_limit(launch->device, cudaLimitStackSize)};
    key[0] = key[1] = 1;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        mix(key, words[i]);
    for (size_t done = 0; done < launch->closure_bytes; done += sizeof words[0]) {
        const size_t left = launch->closure_bytes - done;
        uint64_t word = 0;
        memcpy(&word, (const char *)launch->closure + done, left < sizeof word ? left : sizeof word);
        mix(key, word);
    }
}

static void drop(struct outcome *outcome)
{
    kept_bytes -= outcome->bytes;
    free(outcome->part);
    free(outcome->counts);
    *outcome = (struct outcome){.is_known = false};
}

static void forget(struct known *known)
{
    for (unsigned i = 0; i < OUTCOMES_MAX; i++)
        drop(&known->outcome[i]);
    *known = (struct known){.runs = 0};
}

void umsim_recall_forget(void)
{
    for (size_t i = 0; table && i < KNOWN_MAX; i++)
        forget(&table[i]);
}

static struct known *find(const uint64_t key[2])
{
    struct known *known = table ? &table[key[0] % KNOWN_MAX] : NULL;
    return known && known->key[0] == key[0] && known->key[1] == key[1] ? known : NULL;
}

static struct known *find_or_make(const uint64_t key[2])
{
    table = table ? table : calloc(KNOWN_MAX, sizeof *table);
    struct known *known = find(key);
    if (known || !table)
        return known;
    known = &table[key[0] % KNOWN_MAX];
    forget(known);
    memcpy(known->key, key, sizeof known->key);
    return known;
}

/* ---- before a launch ---- */

bool umsim_recall_waits(const struct umsim_launch_request *launch, struct umsim_recall *it)
{
    if ((!table && !waiting) || launch->in_graph || !can(launch->device)) {
        it->waits = waiting > 0;
        waiting += it->waits;
        return it->waits;
    }
    make_key(launch, it->key);
    const struct known *known = find(it->key);
    it->waits = waiting || (known && is_slow(known->ns)) || (knows_any && umsim_contents_hold());
    waiting += it->waits;
    return it->waits;
}

static void put_back(const struct outcome *outcome, struct umsim_command *command, bool measure)
{
    const char *from = (const char *)(outcome->part + outcome->count);
    for (size_t i = 0; i < outcome->count; i++) {
        memcpy(umsim_contents_of(&outcome->part[i]), from, outcome->part[i].bytes);
        umsim_contents_put(&outcome->part[i]);
        from += outcome->part[i].bytes;
    }
    if (measure) {
        memcpy(&command->measured, &outcome->measured, sizeof command->measured);
        if (outcome->counts)
            memcpy(&umsim_launches->counted[command->slot], outcome->counts, sizeof *outcome->counts);
    }
    account.saved_ns += outcome->ns;
    atomic_fetch_add(&umsim_processes->recalled, 1);
}

static bool knows_outcome(const struct known *known)
{
    bool any = false;
    for (unsigned i = 0; i < OUTCOMES_MAX; i++)
        any = any || known->outcome[i].is_known;
    return any;
}

bool umsim_recall_due(struct umsim_recall *it, bool measure, struct umsim_command *command)
{
    size_t unread, all;
    waiting--;
    const struct known *known = it->key[0] ? find(it->key) : NULL;
    if (!known || !known->runs || umsim_sticky_error() || !can(command->device) ||
        !umsim_contents_unread(&unread, &all) || !is_affordable(knows_outcome(known) ? unread : unread + all))
        return false;
    read_contents(&before, unread);
    for (unsigned i = 0; i < OUTCOMES_MAX && !it->recalled; i++) {
        const struct outcome *outcome = &known->outcome[i];
        it->recalled = outcome->is_known && outcome->before == before.number &&
                       (!measure || (outcome->is_measured && (!command->counts || outcome->counts)));
        if (it->recalled)
            put_back(outcome, command, measure);
    }
    it->learns = !it->recalled && is_affordable(all);
    changes_before = umsim_registry_changes();
    return it->recalled;
}

/* ---- after it ---- */

/* A launch without which memory alone would be another one, or what the program sees. */
static bool did_more(const struct umsim_command *command)
{
    return command->measured.cycles || command->measured.beyond || command->nested.grids ||
           !can(command->device) || umsim_registry_changes() != changes_before;
}

/* @return the bytes of what has changed */
static size_t changed(size_t *count)
{
    size_t bytes = 0;
    *count = 0;
    for (size_t i = 0; i < after.count; i++)
        if (after.part[i].number != before.part[i].number) {
            bytes += after.part[i].bytes;
            ++*count;
        }
    return bytes;
}

static bool keep_changes(struct outcome *outcome)
{
    outcome->bytes = changed(&outcome->count);
    if (outcome->bytes > CHANGED_MAX || kept_bytes + outcome->bytes > KEPT_MAX)
        return false;
    outcome->part = malloc(outcome->count * sizeof *outcome->part + outcome->bytes + 1);
    if (!outcome->part)
        return false;
    struct umsim_part *part = outcome->part;
    char *to = (char *)(part + outcome->count);
    for (size_t i = 0; i < after.count; i++)
        if (after.part[i].number != before.part[i].number) {
            *part++ = after.part[i];
            memcpy(to, umsim_contents_of(&after.part[i]), after.part[i].bytes);
            to += after.part[i].bytes;
        }
    kept_bytes += outcome->bytes;
    return true;
}

static void keep_measured(struct outcome *outcome, const struct umsim_command *command)
{
    outcome->is_measured = command->measure;
    memcpy(&outcome->measured, &command->measured, sizeof outcome->measured);
    if (!command->counts)
        return;
    outcome->counts = malloc(sizeof *outcome->counts);
    if (outcome->counts)
        memcpy(outcome->counts, &umsim_launches->counted[command->slot], sizeof *outcome->counts);
}

static void learn(struct known *known, const struct umsim_command *command, uint64_t ns)
{
    size_t unread, all;
    if (did_more(command) || !umsim_contents_unread(&unread, &all))
        return;
    read_contents(&after, unread);
    struct outcome *outcome = &known->outcome[known->next];
    for (unsigned i = 0; i < OUTCOMES_MAX; i++) /* it may have run because it was to be measured */
        if (known->outcome[i].is_known && known->outcome[i].before == before.number)
            outcome = &known->outcome[i];
    if (outcome == &known->outcome[known->next])
        known->next = (known->next + 1) % OUTCOMES_MAX;
    drop(outcome);
    outcome->is_known = keep_changes(outcome);
    if (!outcome->is_known) {
        outcome->bytes = 0;
        return;
    }
    outcome->before = before.number;
    outcome->ns = ns;
    keep_measured(outcome, command);
    knows_any = true;
}

void umsim_recall_ran(const struct umsim_launch_request *launch, struct umsim_recall *it,
                      const struct umsim_command *command, uint64_t ns, bool clean)
{
    account.ran_ns += ns;
    if ((!is_slow(ns) && !knows_any) || launch->in_graph || !can(launch->device))
        return;
    if (!it->key[0])
        make_key(launch, it->key);
    struct known *known = find_or_make(it->key);
    if (!known)
        return;
    known->runs++;
    known->ns = ns;
    if (it->learns && clean)
        learn(known, command, ns);
}
