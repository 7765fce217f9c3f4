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

bool umsim_pretest_by_thread;

/* By their first threads. */
static struct umsim_pretest_rows kept[UMSIM_BLOCK_THREADS_MAX];
static uint16_t places[UMSIM_BLOCK_THREADS_MAX];
unsigned umsim_pretest_rows_kept;

static void note_each(const struct umsim_pretest_rows *rows)
{
    for (unsigned n = 0; n < rows->threads; n++) {
        struct umsim_pretest_reads *const reads = umsim_pretest_reads_of(rows->first + n, rows->unit);
        reads->count += rows->all - rows->some;
        for (unsigned k = 0; k < rows->some; k++)
            umsim_pretest_note(reads, rows->last[k].address + n * rows->last[k].step, rows->last[k].pc);
    }
}

void umsim_pretest_settle(void)
{
    for (unsigned i = 0; i < umsim_pretest_rows_kept; i++) {
        note_each(&kept[places[i]]);
        kept[places[i]].threads = 0;
    }
    umsim_pretest_rows_kept = 0;
}

static bool overlaps_any(const struct umsim_pretest_rows *rows)
{
    for (unsigned i = 0; i < umsim_pretest_rows_kept; i++) {
        const struct umsim_pretest_rows *const it = &kept[places[i]];
        if (it->unit != rows->unit ||
            (it->first < rows->first + rows->threads && rows->first < it->first + it->threads))
            return true;
    }
    return false;
}

/* What the same threads have read before, and then. */
static void join(struct umsim_pretest_rows *before, const struct umsim_pretest_rows *then)
{
    const unsigned both = before->some + then->some,
                   over = both > UMSIM_PRETEST_READS ? both - UMSIM_PRETEST_READS : 0;
    for (unsigned k = over; k < before->some; k++)
        before->last[k - over] = before->last[k];
    for (unsigned k = 0; k < then->some; k++)
        before->last[before->some - over + k] = then->last[k];
    before->some = both - over;
    before->all += then->all;
}

/* No two of those that are kept have a thread in common. */
void umsim_pretest_note_rows(const struct umsim_pretest_rows *rows)
{
    struct umsim_pretest_rows *const place = &kept[rows->first];
    if (place->threads == rows->threads && place->unit == rows->unit) {
        join(place, rows);
        return;
    }
    if (overlaps_any(rows))
        umsim_pretest_settle();
    places[umsim_pretest_rows_kept++] = (uint16_t)rows->first;
    *place = *rows;
}

void umsim_pretest_launch(bool by_thread)
{
    umsim_pretest_by_thread = by_thread;
    umsim_pretest_settle();
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
