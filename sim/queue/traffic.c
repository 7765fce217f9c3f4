/**
 * @file traffic.c
 * @brief Implementation of traffic.h: tables of the launches and series that were measured, and the rule that
 * picks the next ones.
 */
#include "traffic.h"
#include "counts.h"
#include "../check/check.h"
#include "../space/protection.h"
#include "../worker/launches.h"
#include "../space/measured.h"
#include "../base/mode.h"

#include <string.h>

/** The number of different launches, and of series, that are remembered; a power of 2. */
#define KNOWN_MAX 512
/** From this launch on, one of this many is measured. */
#define AT_LEAST_EACH 1024

struct umsim_measurement {
    unsigned holders;
    uint64_t read[UMSIM_REACHES], written[UMSIM_REACHES];
    struct umsim_access_work accesses;
    struct umsim_measurement *next; /* while it is unused */
};

/* A launch or a series. Entries are found by hash, and forgotten in the order in which they were made,
 * because what is forgotten must not depend on memory addresses. */
struct known {
    uint64_t key;
    uint64_t changes; /* the registry's count of changes before the first such launch */
    uint64_t launches;
    struct umsim_measurement *latest;
    struct known *next; /* the next entry with the same hash */
};

struct table {
    struct known known[KNOWN_MAX], *by_hash[KNOWN_MAX];
    uint64_t made;
};

static struct table same, series;

/* ---- measurements: as many as can be remembered or under way at once ---- */

static struct umsim_measurement measurements[2 * KNOWN_MAX + UMSIM_RING + 1], *unused;

static struct umsim_measurement *hold(struct umsim_measurement *measurement)
{
    measurement->holders++;
    return measurement;
}

void umsim_traffic_drop(struct umsim_measurement *measurement)
{
    if (!measurement || --measurement->holders)
        return;
    measurement->next = unused;
    unused = measurement;
}

static struct umsim_measurement *measurement_make(void)
{
    static size_t taken;
    struct umsim_measurement *it = unused;
    if (it)
        unused = it->next;
    else
        it = &measurements[taken++];
    *it = (struct umsim_measurement){.holders = 1};
    return it;
}

static void remember(struct known *known, struct umsim_measurement *measurement)
{
    umsim_traffic_drop(known->latest);
    known->latest = hold(measurement);
}

/* ---- keys ---- */

static uint64_t mix(uint64_t key, uint64_t word)
{
    key = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

static uint64_t mix_size(uint64_t key, dim3 size)
{
    return mix(mix(key, (uint64_t)size.y << 32 | size.x), size.z);
}

static uint64_t key_of_shape(const struct umsim_launch_request *launch)
{
    const struct umsim_kernel *kernel = launch->kernel;
    uint64_t key = mix(mix((uintptr_t)kernel->blocks, (uintptr_t)kernel->thread), launch->dynamic_shared);
    key = mix(mix_size(mix_size(key, launch->geometry.grid), launch->geometry.block), launch->closure_bytes);
    return mix(key, launch->device); /* what one device has, another one reaches */
}

/* The kind of memory that an argument may lead to; 0 for none that a kernel can reach by an address of the
 * simulator's. */
static uint64_t kind_of(uint64_t word)
{
    const struct umsim_arena *arena = umsim_arena_of((const void *)(uintptr_t)word);
    if (arena == &umsim_arenas[UMSIM_ARENA_DEVICE]) /* whose, where there are several */
        return 16 + umsim_device_at((const void *)(uintptr_t)word);
    return arena ? 1 + (uint64_t)(arena - umsim_arenas)
                 : umsim_managed_space_of((const void *)(uintptr_t)word) != NULL;
}

/* What is a device's own memory is another one's peer's. */
static void keys_of(const struct umsim_launch_request *launch, unsigned device, uint64_t *of_this,
                    uint64_t *of_series)
{
    uint64_t word;
    *of_this = *of_series = mix(key_of_shape(launch), device);
    for (size_t done = 0; done < launch->closure_bytes; done += sizeof word) {
        const size_t left = launch->closure_bytes - done;
        word = 0;
        memcpy(&word, (const char *)launch->closure + done, left < sizeof word ? left : sizeof word);
        *of_this = mix(*of_this, word);
        *of_series = mix(*of_series, kind_of(word));
    }
}

/* ---- tables ---- */

static void forget(struct table *table, struct known *known)
{
    struct known **link = &table->by_hash[known->key % KNOWN_MAX];
    while (*link && *link != known)
        link = &(*link)->next;
    if (*link)
        *link = known->next;
    umsim_traffic_drop(known->latest);
}

static struct known *find(const struct table *table, uint64_t key)
{
    struct known *it = table->by_hash[key % KNOWN_MAX];
    while (it && it->key != key)
        it = it->next;
    return it;
}

static struct known *find_or_make(struct table *table, uint64_t key)
{
    struct known *it = find(table, key), **first = &table->by_hash[key % KNOWN_MAX];
    if (it)
        return it;
    it = &table->known[table->made++ % KNOWN_MAX];
    if (table->made > KNOWN_MAX)
        forget(table, it);
    *it = (struct known){.key = key, .next = *first};
    return *first = it;
}

static void forget_all(struct table *table)
{
    const uint64_t known = table->made < KNOWN_MAX ? table->made : KNOWN_MAX;
    for (uint64_t i = 0; i < known; i++)
        umsim_traffic_drop(table->known[i].latest);
    *table = (struct table){.made = 0};
}

void umsim_traffic_forget(void)
{
    forget_all(&same);
    forget_all(&series);
}

/* ---- the rule ---- */

static bool is_due(uint64_t launches, uint64_t first)
{
    return launches <= first || launches % AT_LEAST_EACH == 0 ||
           (launches < AT_LEAST_EACH && (launches & (launches - 1)) == 0);
}

struct umsim_measurement *umsim_traffic_expect(const struct umsim_launch_request *launch, unsigned device,
                                               uint64_t changes, bool *measure)
{
    uint64_t key, series_key;
    *measure = umsim_checks & UMSIM_CHECK_COALESCING;
    if (*measure)
        return measurement_make();
    keys_of(launch, device, &key, &series_key);
    struct known *all = find_or_make(&series, series_key), *like = find(&same, key);
    const bool is_known = like && like->changes == changes;
    if (is_known)
        *measure = is_due(++like->launches, 1);
    else
        *measure = is_due(++all->launches, umsim_counts_can(launch->kernel) ? UMSIM_TRAFFIC_FIRST_COUNTED
                                                                            : UMSIM_TRAFFIC_FIRST);
    if (!*measure)
        return hold(is_known ? like->latest : all->latest);
    struct umsim_measurement *own = measurement_make();
    if (!is_known) {
        like = find_or_make(&same, key);
        like->changes = changes;
        like->launches = 1;
    }
    remember(like, own);
    remember(all, own);
    return own;
}

void umsim_traffic_measured(struct umsim_measurement *measurement, const struct umsim_measured *measured)
{
    for (int reach = 0; reach < UMSIM_REACHES; reach++) {
        measurement->read[reach] = measured->read[reach];
        measurement->written[reach] = measured->written[reach];
    }
    measurement->accesses = measured->accesses;
}

void umsim_traffic_of(const struct umsim_measurement *measurement, struct umsim_measured *measured)
{
    for (int reach = 0; reach < UMSIM_REACHES; reach++) {
        measured->read[reach] = measurement->read[reach];
        measured->written[reach] = measurement->written[reach];
    }
    measured->accesses = measurement->accesses;
}

uint64_t umsim_traffic_touches(const struct umsim_measurement *measurement)
{
    return measurement->accesses.touches;
}
