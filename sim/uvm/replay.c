/**
 * @file replay.c
 * @brief Charges a launch for what it touched, in the batches of faults that the driver would fetch.
 *
 * How many faults a real GPU takes depends on when its warps happen to run. A simulation that took them in
 * the fault handler showed 428 to 463 in 100 runs of one program. Here only the *set* of touched pages and
 * the launch's geometry count (warps.h).
 *
 * The driver (uvm_gpu_replayable_faults.c) fetches a batch of the faults under way, sorts them by address,
 * services each block once, and lets the GPU retry ("replay"). Before the replay it drops what has arrived
 * meanwhile, but only if more than half of the batch were duplicates. Otherwise the next batch is what was
 * left, including pages that have come in the meantime.
 *
 * What a tool counts as fault groups (GpuPageFaultCount): CUPTI makes one record of a batch, whose value is
 * how many faults of the batch are on its first page. Every one of 6,000 batches recorded on an H200 shows
 * this.
 */
#include "replay.h"

/** A launch with figures beyond these is treated as one of which nothing is known. */
#define LARGEST_GRID (UINT64_C(1) << 40)
#define LARGEST_BLOCK 1024

/* ---- one batch ---- */

/* Fills the batch for a launch of which nothing is known: one page of each stream after another. */
static void gather(struct uvm_replay *replay)
{
    unsigned limit = replay->space->system->distinct_pages_per_batch;

    limit = limit < 1 ? 1 : limit > UVM_FAULT_BATCH_COUNT ? UVM_FAULT_BATCH_COUNT : limit;
    replay->faults = 0;
    for (unsigned i = 0; replay->faults < limit; i++) {
        if (i >= replay->streams) {
            if (replay->marked && i < UVM_STREAMS && uvm_replay_find_range(replay, &replay->stream[i]))
                replay->streams++;
            else if (replay->streams == 0)
                return;
            else
                i = 0;
        }
        uint64_t page = uvm_replay_next_fault(replay, &replay->stream[i]);
        if (page != UINT64_MAX)
            replay->batch[replay->faults++] = page;
        else
            replay->stream[i--] = replay->stream[--replay->streams];
    }
}

static void sort(uint64_t *pages, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        uint64_t page = pages[i];
        unsigned j = i;
        for (; j > 0 && pages[j - 1] > page; j--)
            pages[j] = pages[j - 1];
        pages[j] = page;
    }
}

/* Reports a batch to the observer. The batch is sorted and still has all its faults. */
static void tell_of_batch(const struct uvm_replay *replay)
{
    const uint64_t page = replay->batch[0], first = page / UVM_PAGES_PER_BLOCK * UVM_PAGES_PER_BLOCK;
    const struct uvm_block *block = &replay->space->block[first / UVM_PAGES_PER_BLOCK];
    const struct uvm_mask written = uvm_replay_written(replay, block);
    unsigned pages = 0;

    if (!replay->delta->observer)
        return;
    for (unsigned i = 0; i < replay->faults; i++)
        pages += i == 0 || replay->batch[i] != replay->batch[i - 1];
    struct uvm_event event = {.type = UVM_EVENT_GPU_FAULT,
                              .processor = replay->gpu,
                              .from = UVM_NO_PROCESSOR,
                              .cause = UVM_CAUSES,
                              .is_write = uvm_mask_test(&written, (unsigned)(page - first)),
                              .groups = replay->groups,
                              .address = uvm_page_address(replay->space, block, (unsigned)(page - first)),
                              .bytes = pages * UVM_PAGE_BYTES};
    replay->delta->observer(replay->delta->observer_context, &event);
}

/* Counts a sorted batch as CUPTI does. */
static void count_batch(struct uvm_replay *replay)
{
    replay->groups = 0;
    while (replay->groups < replay->faults && replay->batch[replay->groups] == replay->batch[0])
        replay->groups++;
    replay->delta->gpu_fault_batches++;
    replay->delta->gpu_fault_groups += replay->groups;
    tell_of_batch(replay);
}

/* Services a batch, which is sorted and has each page once. */
static enum uvm_status service_batch(struct uvm_replay *replay)
{
    enum uvm_status status = UVM_OK;

    for (unsigned i = 0; i < replay->faults && status == UVM_OK;) {
        uint64_t first = replay->batch[i] / UVM_PAGES_PER_BLOCK * UVM_PAGES_PER_BLOCK;
        struct uvm_block *block = &replay->space->block[first / UVM_PAGES_PER_BLOCK];
        struct uvm_region region = uvm_policy_region(block, (unsigned)(replay->batch[i] - first));
        struct uvm_mask faulted = uvm_mask_none();

        for (; i < replay->faults && replay->batch[i] < first + region.outer; i++)
            uvm_mask_set(&faulted, (unsigned)(replay->batch[i] - first));
        replay->delta->gpu_fault_services++;
        status = uvm_service(replay->space, block, region, replay->gpu, faulted,
                             uvm_mask_and(faulted, uvm_replay_written(replay, block)), replay->delta);
    }
    return status;
}

static enum uvm_status replay_all(struct uvm_replay *replay)
{
    enum uvm_status status = UVM_OK;

    while (status == UVM_OK) {
        gather(replay);
        if (replay->faults == 0)
            break;
        sort(replay->batch, replay->faults);
        count_batch(replay);
        status = service_batch(replay);
    }
    return status;
}

/* ---- a launch of known geometry ---- */

/* Clears the marks of `pages`. The launch may have been allowed to open more than it is granted in the end;
 * that is revoked. */
static void settle(const struct uvm_replay *replay, struct uvm_block *block, struct uvm_mask pages)
{
    const enum uvm_processor gpu = replay->gpu;
    const struct uvm_mask read = uvm_mask_and(block->touched_read, pages);
    const struct uvm_mask written = uvm_mask_and(block->touched_write, pages);
    const struct uvm_mask opened_to_write = uvm_mask_or(written, uvm_mask_minus(read, block->read_mostly));
    const struct uvm_mask excess = uvm_mask_or(uvm_mask_minus(read, block->readable[gpu]),
                                               uvm_mask_minus(opened_to_write, block->writable[gpu]));

    if (!uvm_mask_is_empty(excess))
        uvm_note_revoked(replay->space, block, gpu);
    uvm_unmark(block, pages);
}

/* The pages of a batch have been serviced. The launch is charged for each page once: a neighbour's service
 * may take a page away again, but the page must not fault forever for that. */
static void settle_batch(struct uvm_replay *replay)
{
    for (unsigned i = 0; replay->marked && i < replay->faults;) {
        const uint64_t index = replay->batch[i] / UVM_PAGES_PER_BLOCK;
        struct uvm_mask pages = uvm_mask_none();

        for (; i < replay->faults && replay->batch[i] / UVM_PAGES_PER_BLOCK == index; i++)
            uvm_mask_set(&pages, (unsigned)(replay->batch[i] % UVM_PAGES_PER_BLOCK));
        settle(replay, &replay->space->block[index], pages);
    }
}

/* The end of what is touched of the stream. */
static uint64_t touched_end(const struct uvm_replay *replay, const struct uvm_range *stream)
{
    for (uint64_t end = stream->end; replay->marked && end > stream->next;) {
        const uint64_t first = (end - 1) / UVM_PAGES_PER_BLOCK * UVM_PAGES_PER_BLOCK;
        const struct uvm_block *block = &replay->space->block[first / UVM_PAGES_PER_BLOCK];
        int page = -1;
        if (uvm_replay_is_touched(replay->space, first / UVM_PAGES_PER_BLOCK)) {
            const struct uvm_mask marks = uvm_mask_or(block->touched_read, block->touched_write);
            page = uvm_mask_previous(&marks, (unsigned)(end - first) - 1);
        }
        if (page >= 0)
            return first + (uint64_t)page + 1 > stream->next ? first + (uint64_t)page + 1 : stream->next + 1;
        end = first;
    }
    return stream->end;
}

/* Finds the next allocations that are to be walked together. */
static unsigned find_streams(struct uvm_replay *replay, struct uvm_stream *stream)
{
    unsigned count = 0;

    for (; replay->streams > 0; replay->streams--)
        stream[count++] = (struct uvm_stream){replay->stream[0].next, replay->stream[0].end};
    while (replay->marked && count < UVM_STREAMS && uvm_replay_find_range(replay, &replay->stream[0])) {
        const struct uvm_range *found = &replay->stream[0];
        stream[count++] = (struct uvm_stream){found->next, touched_end(replay, found)};
    }
    return count;
}

static bool is_upgrade(const struct uvm_replay *replay, uint64_t page)
{
    const struct uvm_block *block = &replay->space->block[page / UVM_PAGES_PER_BLOCK];
    return uvm_mask_test(&block->readable[replay->gpu], (unsigned)(page % UVM_PAGES_PER_BLOCK));
}

/* The pages of a block whose faults leave, or bring, them to host memory. */
static struct uvm_mask destined_for_host(const struct uvm_replay *replay, uint64_t index)
{
    const struct uvm_block *block = &replay->space->block[index];
    struct uvm_mask to[UVM_PROCESSORS];

    uvm_destined(replay->space, block, replay->gpu, block->valid, NULL, to);
    return to[UVM_CPU];
}

/* The results of a batch on which the next one depends. */
struct outcome {
    bool drops; /* the driver drops what has arrived meanwhile */
    bool on_host, upgrades;
};

/* Reduces a sorted batch to each page once. Leaves out pages that have come meanwhile, and write permissions
 * that are not given yet. */
static struct outcome coalesce(struct uvm_replay *replay)
{
    const unsigned faults = replay->faults;
    unsigned pages = 0, upgrades = 0;
    struct outcome outcome = {0};
    uint64_t last = UINT64_MAX, block = UINT64_MAX;
    struct uvm_mask host = uvm_mask_none(); /* of that block */

    replay->faults = 0;
    for (unsigned i = 0; i < faults; i++) {
        const uint64_t page = replay->batch[i];
        if (page == last)
            continue;
        last = page;
        pages++;
        if (!uvm_replay_faults(replay, page))
            continue;
        if (page / UVM_PAGES_PER_BLOCK != block)
            host = destined_for_host(replay, block = page / UVM_PAGES_PER_BLOCK);
        outcome.on_host |= uvm_mask_test(&host, (unsigned)(page % UVM_PAGES_PER_BLOCK));
        const bool upgrade = is_upgrade(replay, page);
        outcome.upgrades |= upgrade;
        if (upgrade && ++upgrades > UVM_UPGRADES_PER_BATCH && !uvm_warps_sparse())
            continue;
        replay->batch[replay->faults++] = page;
    }
    outcome.drops = (faults - pages) * 100 > faults * UVM_FAULT_UPDATE_PUT_RATIO;
    return outcome;
}

static enum uvm_status replay_streams(struct uvm_replay *replay, const struct uvm_launch *launch,
                                      const struct uvm_stream *stream, unsigned count)
{
    static uint64_t page[UVM_FAULTS_UNDER_WAY];
    const struct uvm_block *first = &replay->space->block[stream[0].first / UVM_PAGES_PER_BLOCK];
    const bool writes = replay->marked ? !uvm_mask_is_empty(first->touched_write) : replay->is_write;
    unsigned under_way = 0, next = 0, most = UVM_FAULT_BATCH_COUNT;
    enum uvm_round round = UVM_ROUND_FULL;
    enum uvm_status status = UVM_OK;

    uint64_t all_pages = 0; /* each batch brings at least one page */

    for (unsigned i = 0; i < count; i++)
        all_pages += stream[i].end - stream[i].first;
    uvm_warps_start(launch, writes, stream, count, uvm_replay_next_page, replay);
    for (uint32_t number = 0; status == UVM_OK && number <= all_pages; number++) {
        if (next >= under_way) {
            under_way = uvm_warps_fault(round, number, page);
            next = 0;
        }
        if (under_way == 0)
            return UVM_OK;
        for (replay->faults = 0; next < under_way && replay->faults < most;)
            replay->batch[replay->faults++] = page[next++];
        sort(replay->batch, replay->faults);
        count_batch(replay);
        const struct outcome outcome = coalesce(replay);
        status = service_batch(replay);
        settle_batch(replay);
        if (outcome.drops || outcome.upgrades)
            next = under_way;
        const bool early = outcome.upgrades || (outcome.drops && !outcome.on_host);
        most = early ? UVM_FAULTS_FETCHED_EARLY : UVM_FAULT_BATCH_COUNT;
        round = outcome.upgrades ? UVM_ROUND_UPGRADES : early ? UVM_ROUND_EARLY : UVM_ROUND_FULL;
    }
    return status;
}

static enum uvm_status replay_launch(struct uvm_replay *replay, const struct uvm_launch *launch)
{
    struct uvm_stream stream[UVM_STREAMS];
    enum uvm_status status = UVM_OK;

    for (unsigned count; status == UVM_OK && (count = find_streams(replay, stream)) > 0;)
        status = replay_streams(replay, launch, stream, count);
    return status;
}

/* ---- the launch is charged, and its marks are cleared ---- */

static void clear_marks(const struct uvm_replay *replay)
{
    struct uvm_space *space = replay->space;

    for (size_t i = 0; i * 64 < space->blocks_end; i++) {
        for (uint64_t bits = space->touched[i]; bits; bits &= bits - 1)
            settle(replay, &space->block[i * 64 + (size_t)__builtin_ctzll(bits)],
                   uvm_mask_of((struct uvm_region){0, UVM_PAGES_PER_BLOCK}));
        space->touched[i] = 0;
    }
}

/* Whether faults can be put in the order of warps. Where device memory is short, a warp may find its page
 * evicted again before it runs; then each page is asked for once, in order. */
static bool order_is_known(const struct uvm_replay *replay, const struct uvm_launch *launch)
{
    return launch && launch->blocks && launch->blocks <= LARGEST_GRID && launch->threads_per_block &&
           launch->threads_per_block <= LARGEST_BLOCK && launch->multiprocessors && launch->blocks_at_once &&
           !replay->space->system->device[uvm_device_of(replay->gpu)].is_short;
}

static enum uvm_status replay_in_order_of(struct uvm_replay *replay, const struct uvm_launch *launch)
{
    enum uvm_status status = UVM_OK;
    const unsigned streams = replay->streams;

    uvm_replay_forget_fault_free(replay);
    if (order_is_known(replay, launch)) {
        status = replay_launch(replay, launch);
        replay->streams = streams; /* then what the walk of the warps has left out */
        replay->unscanned = 0;
    }
    return status == UVM_OK ? replay_all(replay) : status;
}

enum uvm_status uvm_gpu_replay(struct uvm_space *space, enum uvm_processor gpu,
                               const struct uvm_launch *launch, struct uvm_delta *delta)
{
    struct uvm_replay replay = {.space = space, .gpu = gpu, .delta = delta, .marked = true};
    enum uvm_status status = replay_in_order_of(&replay, launch);

    clear_marks(&replay);
    return status;
}

enum uvm_status uvm_gpu_access(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                               size_t bytes, bool is_write, const struct uvm_launch *launch,
                               struct uvm_delta *delta)
{
    struct uvm_replay replay = {
        .space = space, .gpu = gpu, .delta = delta, .is_write = is_write, .streams = 1};
    uint64_t batches = delta->gpu_fault_batches;
    struct uvm_walk walk;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    replay.stream[0] = (struct uvm_range){walk.page, walk.end};
    enum uvm_status status = replay_in_order_of(&replay, launch);
    if (status != UVM_OK)
        return status;
    return delta->gpu_fault_batches != batches ? UVM_OK : UVM_ALREADY_GRANTED;
}
