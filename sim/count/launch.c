/**
 * @file launch.c
 * @brief Implementation of count.h: which blocks are counted, and what their counts come to.
 */
#include "count.h"
#include "block.h"
#include "../base/futex.h"
#include "../base/memory.h"

#include <string.h>

static struct umsim_counts *counts_of(const struct umsim_command *command)
{
    return &umsim_launches->counted[command->slot];
}

void umsim_count_launch(const struct umsim_command *command)
{
    struct umsim_counts *counted = counts_of(command);
    counted->sites = 0;
    counted->crowded = false;
    counted->rounds = counted->missed = counted->skipped = counted->lanes = counted->barriers = 0;
    memset(counted->work, 0, sizeof counted->work);
    memset(counted->met, 0, sizeof counted->met);
}

/* ---- the choice of blocks ---- */

/* The blocks between the first and the last one are cut into this many parts. */
#define PARTS (UMSIM_COUNTS_BLOCKS - 2)

static uint64_t begin_of_part(uint64_t blocks, uint64_t part)
{
    return 1 + (blocks - 2) / PARTS * part + (blocks - 2) % PARTS * part / PARTS;
}

static uint64_t counted_of_part(uint64_t blocks, uint64_t part)
{
    const uint64_t begin = begin_of_part(blocks, part), length = begin_of_part(blocks, part + 1) - begin;
    return begin + ((part + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 33) % length;
}

uint64_t umsim_count_weight(const struct umsim_command *command, uint64_t number)
{
    const uint64_t blocks = command->blocks;
    if (blocks <= UMSIM_COUNTS_BLOCKS || number == 0 || number == blocks - 1)
        return 1;
    for (uint64_t part = 0; part < PARTS; part++)
        if (counted_of_part(blocks, part) == number)
            return begin_of_part(blocks, part + 1) - begin_of_part(blocks, part);
    return 0;
}

uint64_t umsim_count_next(const struct umsim_command *command, uint64_t number, uint64_t end)
{
    const uint64_t blocks = command->blocks;
    if (number >= end || blocks <= UMSIM_COUNTS_BLOCKS || number == 0)
        return number < end ? number : end;
    uint64_t next = blocks - 1;
    for (uint64_t part = PARTS; part-- > 0;)
        if (counted_of_part(blocks, part) >= number)
            next = counted_of_part(blocks, part);
    return next < end ? next : end;
}

/* ---- a block ---- */

static struct umsim_counting *take_table(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting_unused;
    if (it) {
        worker->counting_unused = it->next_unused;
        return it;
    }
    /* shared: private memory would count for a limit on data, of which stacks may have need */
    it = umsim_try_shared_memory(sizeof *it);
    if (!it)
        return NULL;
    it->next = worker->counting_all;
    return worker->counting_all = it;
}

static void give_table_back(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting;
    it->next_unused = worker->counting_unused;
    worker->counting_unused = it;
    worker->counting = NULL;
    umsim_segments_leave();
}

bool umsim_count_begin(struct umsim_worker *worker, uint64_t weight)
{
    struct umsim_counting *it = take_table(worker);
    if (!it)
        return false;
    if (it->launch != worker->command->number) { /* its instructions are other ones */
        it->launch = worker->command->number;
        it->sites = 0;
        for (size_t i = 0; i < UMSIM_COUNT_SITES; i++)
            it->by_pc[i] = NULL;
    }
    it->stamp++;
    it->requests = it->spills = 0;
    it->skipped = 0;
    it->weight = weight;
    for (size_t i = 0; i < sizeof it->first_of_warp / sizeof it->first_of_warp[0]; i++)
        it->first_of_warp[i] = it->last_of_warp[i] = 0;
    memset(it->met, 0, sizeof it->met);
    memset(it->loaded, 0, sizeof it->loaded);
    worker->counting = it;
    umsim_segments_begin(&it->segments);
    return true;
}

void umsim_count_threads(struct umsim_worker *worker)
{
    const struct umsim_command *command = worker->command;
    const dim3 block = command->geometry.block;
    uint3 index;
    worker->counting->thread = 0;
    for (index.z = 0; index.z < block.z; index.z++)
        for (index.y = 0; index.y < block.y; index.y++)
            for (index.x = 0; index.x < block.x; index.x++, worker->counting->thread++) {
                umsim_segments_enter(&worker->counting->segments, worker->counting->thread);
                command->kernel.counted(command->closure, &command->geometry, &worker->block_index, &index);
            }
}

void umsim_count_enter(struct umsim_worker *worker, size_t thread)
{
    umsim_segments_enter(&worker->counting->segments, thread);
}

void umsim_count_meeting(struct umsim_worker *worker, enum umsim_counts_meeting what)
{
    if (worker->counting)
        worker->counting->met[what]++;
}

void umsim_count_drop(struct umsim_worker *worker)
{
    if (!worker->counting)
        return;
    umsim_segments_sum(&worker->counting->segments, worker->command->threads_a_block);
    give_table_back(worker);
}

void umsim_count_none(struct umsim_worker *worker)
{
    worker->counting = worker->counting_unused = NULL;
    for (struct umsim_counting *it = worker->counting_all; it; it = it->next) {
        it->next_unused = worker->counting_unused;
        worker->counting_unused = it;
    }
}

static struct umsim_counts_site *site_of(struct umsim_counts *counted, const struct umsim_counts_site *like)
{
    for (unsigned i = 0; i < counted->sites; i++) {
        struct umsim_counts_site *site = &counted->site[i];
        if (site->pc == like->pc && site->kind == like->kind && site->how == like->how)
            return site;
    }
    if (counted->sites == UMSIM_COUNTS_SITES)
        return NULL;
    struct umsim_counts_site *site = &counted->site[counted->sites++];
    *site = (struct umsim_counts_site){
        .pc = like->pc, .kind = like->kind, .how = like->how, .lowest = UINT64_MAX};
    return site;
}

static void add(struct umsim_counts *counted, const struct umsim_counts_site *count, uint64_t weight)
{
    struct umsim_counts_site *site = count->requests ? site_of(counted, count) : NULL;
    if (!site) {
        counted->crowded |= count->requests != 0;
        return;
    }
    site->requests += weight * count->requests;
    site->lanes += weight * count->lanes;
    site->bytes += weight * count->bytes;
    site->passes += weight * count->passes;
    site->sectors += weight * count->sectors;
    site->runs += weight * count->runs;
    site->fetched += weight * count->fetched;
    site->waited += weight * count->waited;
    site->packets += weight * count->packets;
    site->granules += weight * count->granules;
    site->places += weight * count->places;
    site->lowest = count->lowest < site->lowest ? count->lowest : site->lowest;
    site->end = count->end > site->end ? count->end : site->end;
}

static void add_work(struct umsim_counts *counted, const struct umsim_worker *worker,
                     const struct umsim_segment_sum *sum)
{
    const struct umsim_counting *it = worker->counting;
    for (int c = 0; c < UMSIM_WORK_CLASSES; c++)
        counted->work[c] += it->weight * sum->work[c];
    for (int m = 0; m < UMSIM_COUNTS_MEETINGS; m++)
        counted->met[m] += it->weight * it->met[m];
    counted->lanes += it->weight * sum->lanes;
    counted->barriers += worker->command->kernel.waits ? it->weight * worker->generation : 0;
}

void umsim_count_end(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting;
    struct umsim_counts *counted = counts_of(worker->command);
    umsim_count_replay(worker);
    const struct umsim_segment_sum sum = umsim_segments_sum(&it->segments, worker->command->threads_a_block);
    umsim_spin_lock(&counted->lock);
    for (unsigned i = 0; i < it->sites; i++)
        add(counted, &it->count[i], it->weight);
    counted->rounds += it->weight * it->rounds;
    counted->missed += it->weight * it->missed;
    counted->skipped += it->skipped;
    add_work(counted, worker, &sum);
    umsim_spin_unlock(&counted->lock);
    give_table_back(worker);
}
