/**
 * @file launch.c
 * @brief Implementation of count.h: which blocks are counted, and what their counts come to.
 */
#include "count.h"
#include "block.h"
#include "../base/futex.h"
#include "../base/memory.h"
#include "../base/mode.h"

#include <string.h>
#include <sys/mman.h>

#define FEW_PAGES ((size_t)8192) /* or a part of one */

static struct umsim_counts *counts_of(const struct umsim_command *command)
{
    return &umsim_launches->counted[command->slot];
}

void umsim_count_launch(const struct umsim_command *command)
{
    struct umsim_counts *counted = counts_of(command);
    counted->sites = 0;
    counted->crowded = false;
    counted->missed_of_host = counted->missed_of_managed = counted->missed_of_peer = counted->beside = 0;
    counted->rounds = counted->missed = counted->skipped = counted->lanes = counted->barriers = 0;
    memset(counted->work, 0, sizeof counted->work);
    memset(counted->met, 0, sizeof counted->met);
}

/* ---- the choice of blocks ---- */

/* So many blocks are counted: as many as there are, or one of each of as many parts. */
static uint64_t blocks_to_count(const struct umsim_command *command)
{
    const uint64_t fit = UMSIM_COUNTS_THREADS / command->threads_a_block, blocks = command->blocks;
    const uint64_t share = (blocks + UMSIM_COUNTS_SHARE - 1) / UMSIM_COUNTS_SHARE;
    uint64_t most = fit < 1 ? 1 : fit < UMSIM_COUNTS_BLOCKS ? fit : UMSIM_COUNTS_BLOCKS;
    most = most < share ? most : share;
    if (umsim_is_grading() && blocks <= UMSIM_COUNTS_GRADED_BLOCKS)
        return blocks;
    return blocks <= most || blocks == 1 ? blocks : most < blocks - 2 ? most : blocks > 2 ? blocks - 2 : 1;
}

/* Parts are cut from what lies between the first and the last block. */
static uint64_t begin_of_part(uint64_t blocks, uint64_t parts, uint64_t part)
{
    return 1 + (blocks - 2) / parts * part + (blocks - 2) % parts * part / parts;
}

static uint64_t counted_of_part(uint64_t blocks, uint64_t parts, uint64_t part)
{
    if (blocks == 2)
        return 0;
    const uint64_t begin = begin_of_part(blocks, parts, part),
                   length = begin_of_part(blocks, parts, part + 1) - begin;
    return begin + ((part + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 33) % length;
}

/* How a block runs. */
struct choice {
    bool counting_form;
    uint64_t weight;
};

static struct choice choice_of(const struct umsim_command *command, uint64_t number)
{
    const uint64_t blocks = command->blocks, parts = blocks_to_count(command);
    if (blocks == parts)
        return (struct choice){true, 1};
    for (uint64_t part = 0; part < parts; part++)
        if (counted_of_part(blocks, parts, part) == number)
            return (struct choice){true, begin_of_part(blocks, parts, part + 1) -
                                             begin_of_part(blocks, parts, part) + (part == 0) +
                                             (part == parts - 1)};
    return (struct choice){blocks > UMSIM_COUNTS_FEW && (number == 0 || number == blocks - 1), 0};
}

uint64_t umsim_count_next(const struct umsim_command *command, uint64_t number, uint64_t end)
{
    const uint64_t blocks = command->blocks, parts = blocks_to_count(command);
    const bool has_ends = blocks > UMSIM_COUNTS_FEW;
    if (number >= end || blocks == parts || (has_ends && number == 0))
        return number < end ? number : end;
    uint64_t next = has_ends ? blocks - 1 : end;
    for (uint64_t part = parts; part-- > 0;)
        if (counted_of_part(blocks, parts, part) >= number)
            next = counted_of_part(blocks, parts, part);
    return next < end ? next : end;
}

/* ---- a block ---- */

/* It is shared memory, because private memory counts for a limit on data, of which stacks may have need. But
 * the system makes a private page in two thirds of the time, and new pages are a part of what it takes to
 * count a short launch. So the first bytes are private, unless a limit is in the way. */
static struct umsim_counting *make_table(void)
{
    struct umsim_counting *it = umsim_try_shared_memory(sizeof *it);
    if (!it)
        return NULL;
    /* otherwise it stays what it is */
    (void)mmap(it, UMSIM_COUNT_PRIVATE, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    it->segments.memory = &it->memory;
    return it;
}

static struct umsim_counting *take_table(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting_unused;
    if (it) {
        worker->counting_unused = it->next_unused;
        return it;
    }
    it = make_table();
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
    umsim_count_log_leave();
}

/* What a short launch makes use of: the beginnings of these. */
#define PART(field)                                                                                          \
    {                                                                                                        \
        offsetof(struct umsim_counting, field), sizeof((struct umsim_counting *)0)->field                    \
    }
static const struct {
    size_t from, bytes;
} parts[] = {PART(by_pc),         PART(site),       PART(first),  PART(conflicts),   PART(count),
             PART(late),          PART(reads),      PART(writes), PART(granules[0]), PART(granules[1]),
             PART(places[0]),     PART(places[1]),  PART(seen),   PART(loaded),      PART(history),
             PART(log),           PART(row),        PART(way),    PART(way.stride),  PART(way.step),
             PART(segments.list), PART(first_part), PART(request)};

void umsim_count_prepare(struct umsim_worker *worker)
{
    struct umsim_counting *it = take_table(worker);
    if (!it)
        return;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        memset((char *)it + parts[i].from, 0, parts[i].bytes < FEW_PAGES ? parts[i].bytes : FEW_PAGES);
    umsim_segments_begin(&it->segments, UMSIM_BLOCK_THREADS_MAX, false);
    worker->counting = it;
    give_table_back(worker);
}

bool umsim_count_begin(struct umsim_worker *worker, uint64_t number)
{
    const struct choice choice = choice_of(worker->command, number);
    struct umsim_counting *it = choice.counting_form ? take_table(worker) : NULL;
    if (!it)
        return false;
    if (it->launch != worker->command->number) { /* its instructions are other ones */
        it->launch = worker->command->number;
        it->sites = 0;
        for (size_t i = 0; i < UMSIM_COUNT_SITES; i++)
            it->by_pc[i] = NULL;
    }
    it->stamp++;
    memset(it->visits, 0, sizeof it->visits);
    it->memory = (struct umsim_count_arena){.next = it->first_part,
                                            .end = it->first_part + sizeof it->first_part,
                                            .second = it->second_part,
                                            .second_end = it->second_part + sizeof it->second_part};
    it->requests = it->spills = 0;
    memset(umsim_count_here.counted, 0, sizeof umsim_count_here.counted);
    memset(umsim_count_here.uncounted, 0, sizeof umsim_count_here.uncounted);
    it->skipped = 0;
    it->weight = choice.weight;
    const uint32_t lines = UMSIM_COUNT_BLOCK_LINES / worker->command->threads_a_block;
    umsim_count_rest_forget(it);
    it->lines_each = lines > UMSIM_COUNT_THREAD_LINES ? lines : UMSIM_COUNT_THREAD_LINES;
    it->thread = it->histories = 0;
    memset(it->history, 0, worker->command->threads_a_block * sizeof it->history[0]);
    it->way.warp = UINT32_MAX;
    it->way.pending = it->way.noted = 0;
    it->way.in_rows = false;
    umsim_count_here.row_next = UMSIM_COUNT_NO_ROW;
    for (size_t i = 0; i < sizeof it->first_of_warp / sizeof it->first_of_warp[0]; i++)
        it->first_of_warp[i] = it->last_of_warp[i] = 0;
    memset(it->met, 0, sizeof it->met);
    memset(it->loaded, 0, worker->command->threads_a_block * sizeof it->loaded[0]);
    worker->counting = it;
    umsim_segments_begin(&it->segments, worker->command->threads_a_block,
                         !worker->command->kernel.waits && !worker->command->kernel.thread);
    umsim_count_interval_begin(it);
    it->is_common = worker->command->kernel.counted_blocks != NULL;
    it->commons = 0;
    return true;
}

void umsim_count_threads(struct umsim_worker *worker)
{
    const struct umsim_command *command = worker->command;
    const dim3 block = command->geometry.block;
    size_t thread = 0;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++) {
                umsim_count_enter(worker, thread++);
                worker->thread_index = (uint3){x, y, z};
                command->kernel.counted(command->closure, &command->geometry, &worker->block_index,
                                        &worker->thread_index);
            }
}

struct umsim_counting *umsim_count_put_aside(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting;
    if (it) {
        umsim_count_interval_end(it);
        umsim_count_log_leave();
    }
    worker->counting = NULL;
    return it;
}

void umsim_count_meeting(struct umsim_worker *worker, enum umsim_counts_meeting what)
{
    if (worker->counting)
        worker->counting->met[what]++;
}

void umsim_count_drop(struct umsim_worker *worker)
{
    if (worker->counting)
        give_table_back(worker);
}

void umsim_count_none(struct umsim_worker *worker)
{
    umsim_count_log_leave();
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

static void widen(struct umsim_counts_site *site, uint64_t lowest, uint64_t end)
{
    site->lowest = lowest < site->lowest ? lowest : site->lowest;
    site->end = end > site->end ? end : site->end;
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
    widen(site, count->lowest, count->end);
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

/* The first or the last block of many: says from where to where the instructions access. */
static void add_extents(struct umsim_counts *counted, const struct umsim_counting *it)
{
    for (unsigned i = 0; i < it->sites; i++) {
        const struct umsim_count_site *from = &it->site[i];
        const struct umsim_counts_site like = {.pc = from->pc, .kind = from->kind, .how = from->how};
        struct umsim_counts_site *site =
            from->stamp == it->stamp && from->end ? site_of(counted, &like) : NULL;
        if (site)
            widen(site, from->lowest, from->end);
    }
}

static void add_block(struct umsim_counts *counted, const struct umsim_worker *worker,
                      const struct umsim_segment_sum *sum)
{
    const struct umsim_counting *it = worker->counting;
    for (unsigned i = 0; i < it->sites; i++)
        add(counted, &it->count[i], it->weight);
    counted->rounds += it->weight * it->rounds;
    counted->missed += it->weight * it->missed;
    const bool is_far = it->missed_of == UMSIM_COUNTS_HOST || it->missed_of == UMSIM_COUNTS_PEER;
    counted->beside += is_far ? 0 : it->weight * it->beside;
    counted->missed_of_host += it->missed_of == UMSIM_COUNTS_HOST ? it->weight * it->missed : 0;
    counted->missed_of_managed += it->missed_of == UMSIM_COUNTS_MANAGED ? it->weight * it->missed : 0;
    counted->missed_of_peer += it->missed_of == UMSIM_COUNTS_PEER ? it->weight * it->missed : 0;
    add_work(counted, worker, sum);
}

void umsim_count_end(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting;
    struct umsim_counts *counted = counts_of(worker->command);
    umsim_count_common_end(it);
    umsim_count_interval_end(it);
    umsim_count_settle(it);
    if (it->weight)
        umsim_count_replay(worker);
    else
        umsim_count_rest_scale(it);
    const struct umsim_segment_sum sum = umsim_segments_sum(&it->segments, worker->command->threads_a_block);
    umsim_spin_lock(&counted->lock);
    if (it->weight)
        add_block(counted, worker, &sum);
    else
        add_extents(counted, it);
    counted->skipped += it->skipped;
    umsim_spin_unlock(&counted->lock);
    give_table_back(worker);
}
