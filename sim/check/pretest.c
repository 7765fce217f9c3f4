/**
 * @file pretest.c
 * @brief Implementation of pretest.h: each thread's last reads, the places that guard, and the races in
 * doubt.
 */
#include "pretest.h"

#define PLACES 1024 /* race.c has no more */
#define SUSPECTS 64

struct umsim_pretest_reads umsim_pretest_reads[UMSIM_BLOCK_THREADS_MAX];

static bool pretests[PLACES];

static struct suspect {
    struct umsim_finding finding;
    unsigned place;
} suspects[SUSPECTS];
static size_t suspects_count;

void umsim_pretest_launch(void)
{
    suspects_count = 0;
}

void umsim_pretest_atomic(unsigned thread, uint32_t unit, uintptr_t address,
                          unsigned (*place_of)(const void *pc))
{
    const struct umsim_pretest_reads *const reads = umsim_pretest_reads_of(thread, unit);
    for (unsigned i = 0; i < UMSIM_PRETEST_READS && i < reads->count; i++)
        if (reads->last[i].address == address)
            pretests[place_of(reads->last[i].pc) % PLACES] = true;
}

/* One for each pair of places: its findings would be counted together. */
void umsim_pretest_suspect(const struct umsim_finding *finding, unsigned place)
{
    if (pretests[place % PLACES])
        return;
    for (size_t i = 0; i < suspects_count; i++)
        if (suspects[i].finding.by.pc == finding->by.pc &&
            suspects[i].finding.other.pc == finding->other.pc) {
            suspects[i].finding.count++;
            suspects[i].finding.one_warp &= finding->one_warp;
            return;
        }
    if (suspects_count == SUSPECTS)
        return;
    suspects[suspects_count] = (struct suspect){*finding, place};
    suspects[suspects_count++].finding.count = 1;
}

void umsim_pretest_launched(void)
{
    for (size_t i = 0; i < suspects_count; i++)
        for (uint64_t n = 0; n < suspects[i].finding.count && !pretests[suspects[i].place % PLACES]; n++)
            umsim_finding_note(&suspects[i].finding);
    suspects_count = 0;
}
