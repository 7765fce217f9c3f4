/**
 * @file measured_ranges.h
 * @brief The set of memory ranges that a measured launch has opened and counted.
 *
 * Two workers may fault on one range at the same time. The range counts once, because otherwise a kernel's
 * time would depend on how its threads happened to run. The set is a hash table in shared memory. Each entry
 * carries the number of the launch that made it, so that the table never has to be cleared.
 *
 * GPU process only; async-signal-safe.
 */
#ifndef UMSIM_MEASURED_RANGES_H
#define UMSIM_MEASURED_RANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** Ranges of one launch that are distinguished: 16 GiB, in units of 64 KiB. Ranges beyond that count each
 * time. */
#define UMSIM_MEASURED_RANGES_MAX (1u << 18)
#define UMSIM_MEASURED_RANGES_PROBES 64u

struct umsim_measured_ranges {
    atomic_uint launch;                             /* its low 27 bits are in each entry that it makes */
    atomic_ullong entry[UMSIM_MEASURED_RANGES_MAX]; /* 0: never used */
};

/** Forgets all ranges, because another launch begins. No launch may be running. */
static inline void umsim_measured_ranges_begin(struct umsim_measured_ranges *counted)
{
    atomic_fetch_add(&counted->launch, 1);
}

/** Notes that a range was opened to read or to write. @return whether that is new for this launch */
static inline bool umsim_measured_ranges_add(struct umsim_measured_ranges *counted, const void *start,
                                             bool is_write)
{
    const unsigned long long launch = atomic_load(&counted->launch) & 0x7ffffff;
    const unsigned long long key = (uintptr_t)start >> 12 << 1 | is_write; /* 36 bits: user space has 47 */
    const unsigned long long mine = launch << 37 | 1ull << 36 | key;
    const uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    for (unsigned probe = 0; probe < UMSIM_MEASURED_RANGES_PROBES; probe++) {
        atomic_ullong *entry = &counted->entry[(hash + probe) % UMSIM_MEASURED_RANGES_MAX];
        unsigned long long there = atomic_load(entry);
        while (there >> 37 != launch || there == 0)
            if (atomic_compare_exchange_weak(entry, &there, mine))
                return true;
        if (there == mine)
            return false;
    }
    return true;
}

#endif
