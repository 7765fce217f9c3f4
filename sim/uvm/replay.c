/*
 * replay.c: charging a launch for what it touched.
 *
 * What faults a real GPU takes depends on when its warps happen to run; 428 to 463 were seen in 100 runs of
 * one program that simulated it in the fault handler. Here the *set* of touched pages and the launch's
 * geometry are all that counts (warps.h). The driver (uvm_gpu_replayable_faults.c) fetches a batch of the
 * faults under way, sorts them by address, services each block once, and lets the GPU go on to what it has
 * not got yet ("replay"). Before that it drops what has arrived meanwhile, but only where more than half of
 * the batch were duplicates: else the next batch is what was left, pages that have come in the meantime
 * included.
 *
 * What a tool counts as fault groups (GpuPageFaultCount): CUPTI makes one record of a batch, and its value is
 * how many faults of the batch are on the first page. Every one of 6,000 batches recorded on an H200 shows
 * it.
 */
#include "warps.h"

/** Beyond these nothing is believed of a launch. */
#define LARGEST_GRID (UINT64_C(1) << 40)
#define LARGEST_BLOCK 1024

/* One allocation, or the stretch of an access, being walked. Pages are counted from the space's base. */
struct stream {
    uint64_t next, end;
};

struct replay {
    struct uvm_space *space;
    struct uvm_delta *delta;
    bool marked;   /* go by the marks; else all pages of the one stream are touched */
    bool is_write; /* ... in this way */
    uint64_t unscanned;
    struct stream stream[UVM_STREAMS];
    unsigned streams;
    uint64_t batch[UVM_FAULT_BATCH_COUNT];
    unsigned faults;
    unsigned groups; /* that the batch counts for */
};

/* ---- which pages fault ---- */

static struct uvm_mask written_pages(const struct replay *replay, const struct uvm_block *block)
{
    if (replay->marked)
        return block->touched_write;
    return replay->is_write ? block->valid : uvm_mask_none();
}

/* Pages 64 i to 64 i + 63 of those that fault. */
static inline uint64_t faulting_word(const struct replay *replay, const struct uvm_block *block, unsigned i)
{
    const uint64_t read = (replay->marked ? &block->touched_read : &block->valid)->word[i];
    const uint64_t written = replay->marked ? block->touched_write.word[i] : replay->is_write ? read : 0;

    return (read & ~written & ~block->readable[UVM_GPU].word[i]) |
           (written & ~block->writable[UVM_GPU].word[i]);
}

static bool is_touched(const struct uvm_space *space, uint64_t block)
{
    return space->touched[block / 64] >> block % 64 & 1;
}

static bool is_calm(const struct uvm_space *space, uint64_t block)
{
    return space->calm[block / 64] >> block % 64 & 1;
}

/* Before a walk: no page faults where nothing is marked. */
static void forget_calm(const struct replay *replay)
{
    const struct uvm_space *space = replay->space;

    for (size_t i = 0; i * 64 < space->blocks_end; i++)
        space->calm[i] = replay->marked ? ~space->touched[i] : 0;
}

/* The first block at or after `block` that is not known to be calm; `end` and more: none before that. */
static uint64_t next_uncalm(const struct uvm_space *space, uint64_t block, uint64_t end)
{
    uint64_t i = block / 64, bits = ~space->calm[i] >> block % 64 << block % 64;

    while (bits == 0 && ++i * 64 < end)
        bits = ~space->calm[i];
    return i * 64 + (bits ? (unsigned)__builtin_ctzll(bits) : 0);
}

/* The first page at or after `page` that faults; UINT64_MAX: none before `end`. Asked for each warp again and
 * again, so a block that was searched in vain is passed over from then on, until the GPU loses a grant there.
 */
static uint64_t next_page_that_faults(const void *context, uint64_t page, uint64_t end)
{
    const struct replay *replay = context;
    const struct uvm_space *space = replay->space;
    const uint64_t end_block = (end + UVM_PAGES_PER_BLOCK - 1) / UVM_PAGES_PER_BLOCK;

    while (page < end) {
        const uint64_t index = page / UVM_PAGES_PER_BLOCK, outer = (index + 1) * UVM_PAGES_PER_BLOCK;
        const uint64_t last = (outer < end ? outer : end) - 1;
        if (is_calm(space, index)) {
            page = next_uncalm(space, index, end_block) * UVM_PAGES_PER_BLOCK;
            continue;
        }
        const unsigned stop = (unsigned)(last % UVM_PAGES_PER_BLOCK) / 64;
        unsigned i = (unsigned)(page % UVM_PAGES_PER_BLOCK) / 64;
        uint64_t bits = faulting_word(replay, &space->block[index], i) >> page % 64 << page % 64;
        while (bits == 0 && i < stop)
            bits = faulting_word(replay, &space->block[index], ++i);
        if (bits) {
            page = index * UVM_PAGES_PER_BLOCK + i * 64 + (unsigned)__builtin_ctzll(bits);
            return page < end ? page : UINT64_MAX;
        }
        if (page % UVM_PAGES_PER_BLOCK == 0 && last + 1 == outer)
            space->calm[index / 64] |= UINT64_C(1) << index % 64;
        page = outer;
    }
    return UINT64_MAX;
}

static bool page_faults(const struct replay *replay, uint64_t page)
{
    const struct uvm_block *block = &replay->space->block[page / UVM_PAGES_PER_BLOCK];
    return faulting_word(replay, block, (unsigned)(page % UVM_PAGES_PER_BLOCK) / 64) >> page % 64 & 1;
}

/* The stream's next page that faults, and steps past it; UINT64_MAX at its end. */
static uint64_t next_fault(const struct replay *replay, struct stream *stream)
{
    const uint64_t page = next_page_that_faults(replay, stream->next, stream->end);

    stream->next = page == UINT64_MAX ? stream->end : page + 1;
    return page;
}

/* Where the range that the page lies in ends. */
static uint64_t range_end(const struct uvm_space *space, uint64_t page)
{
    uint64_t index = page / UVM_PAGES_PER_BLOCK;
    unsigned from = (unsigned)(page % UVM_PAGES_PER_BLOCK) + 1;

    for (;; index++, from = 1) {
        const struct uvm_block *block = &space->block[index];
        unsigned outer = UVM_PAGES_PER_BLOCK;
        if (from < UVM_PAGES_PER_BLOCK) {
            unsigned next = uvm_mask_next(&block->range_first, from);
            unsigned dead = uvm_mask_next_clear(&block->valid, from);
            outer = next < dead ? next : dead;
        }
        if (outer < UVM_PAGES_PER_BLOCK || index + 1 >= space->blocks || !space->block[index + 1].continues)
            return index * UVM_PAGES_PER_BLOCK + outer;
    }
}

/* Finds the next allocation with marks. */
static bool find_stream(struct replay *replay, struct stream *stream)
{
    const struct uvm_space *space = replay->space;

    while (replay->unscanned < space->blocks_end * UVM_PAGES_PER_BLOCK) {
        uint64_t index = replay->unscanned / UVM_PAGES_PER_BLOCK, first = index * UVM_PAGES_PER_BLOCK;
        if (index % 64 == 0 && replay->unscanned == first && space->touched[index / 64] == 0) {
            replay->unscanned = (index + 64) * UVM_PAGES_PER_BLOCK;
            continue;
        }
        const struct uvm_block *block = &space->block[index];
        unsigned page = UVM_PAGES_PER_BLOCK;
        if (is_touched(space, index)) {
            struct uvm_mask marks = uvm_mask_or(block->touched_read, block->touched_write);
            page = uvm_mask_next(&marks, (unsigned)(replay->unscanned - first));
        }
        replay->unscanned = first + page;
        if (page < UVM_PAGES_PER_BLOCK) {
            *stream = (struct stream){first + page, range_end(space, first + page)};
            replay->unscanned = stream->end;
            return true;
        }
    }
    return false;
}

/* ---- one batch ---- */

/* Fills the batch, a page of each stream in turn: nothing is known of the launch. */
static void gather(struct replay *replay)
{
    unsigned limit = replay->space->device->distinct_pages_per_batch;

    limit = limit < 1 ? 1 : limit > UVM_FAULT_BATCH_COUNT ? UVM_FAULT_BATCH_COUNT : limit;
    replay->faults = 0;
    for (unsigned i = 0; replay->faults < limit; i++) {
        if (i >= replay->streams) {
            if (replay->marked && i < UVM_STREAMS && find_stream(replay, &replay->stream[i]))
                replay->streams++;
            else if (replay->streams == 0)
                return;
            else
                i = 0;
        }
        uint64_t page = next_fault(replay, &replay->stream[i]);
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

/* Of a batch, sorted, with all its faults. */
static void tell_of_batch(const struct replay *replay)
{
    const uint64_t page = replay->batch[0], first = page / UVM_PAGES_PER_BLOCK * UVM_PAGES_PER_BLOCK;
    const struct uvm_block *block = &replay->space->block[first / UVM_PAGES_PER_BLOCK];
    const struct uvm_mask written = written_pages(replay, block);
    unsigned pages = 0;

    if (!replay->delta->observer)
        return;
    for (unsigned i = 0; i < replay->faults; i++)
        pages += i == 0 || replay->batch[i] != replay->batch[i - 1];
    struct uvm_event event = {.type = UVM_EVENT_GPU_FAULT,
                              .processor = UVM_GPU,
                              .cause = UVM_CAUSES,
                              .is_write = uvm_mask_test(&written, (unsigned)(page - first)),
                              .groups = replay->groups,
                              .address = uvm_page_address(replay->space, block, (unsigned)(page - first)),
                              .bytes = pages * UVM_PAGE_BYTES};
    replay->delta->observer(replay->delta->observer_context, &event);
}

/* Of a batch, sorted: CUPTI's count of it. */
static void count_batch(struct replay *replay)
{
    replay->groups = 0;
    while (replay->groups < replay->faults && replay->batch[replay->groups] == replay->batch[0])
        replay->groups++;
    replay->delta->gpu_fault_batches++;
    replay->delta->gpu_fault_groups += replay->groups;
    tell_of_batch(replay);
}

/* Of a batch, sorted, each page once. */
static enum uvm_status service_batch(struct replay *replay)
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
        status = uvm_service(replay->space, block, region, UVM_GPU, faulted,
                             uvm_mask_and(faulted, written_pages(replay, block)), replay->delta);
    }
    return status;
}

static enum uvm_status replay_all(struct replay *replay)
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

/* The marks of `pages` go. What the launch was allowed to open may be more than what it is granted in the
 * end. */
static void settle(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages)
{
    const struct uvm_mask read = uvm_mask_and(block->touched_read, pages);
    const struct uvm_mask written = uvm_mask_and(block->touched_write, pages);
    const struct uvm_mask opened_to_write = uvm_mask_or(written, uvm_mask_minus(read, block->read_mostly));
    const struct uvm_mask excess = uvm_mask_or(uvm_mask_minus(read, block->readable[UVM_GPU]),
                                               uvm_mask_minus(opened_to_write, block->writable[UVM_GPU]));

    if (!uvm_mask_is_empty(excess))
        uvm_note_revoked(space, block, UVM_GPU);
    block->touched_read = uvm_mask_minus(block->touched_read, pages);
    block->touched_write = uvm_mask_minus(block->touched_write, pages);
}

/* The pages of a batch have been serviced. The launch is charged for each once: that a neighbour's service
 * may take a page away again is no reason to fault for ever. */
static void settle_batch(struct replay *replay)
{
    for (unsigned i = 0; replay->marked && i < replay->faults;) {
        const uint64_t index = replay->batch[i] / UVM_PAGES_PER_BLOCK;
        struct uvm_mask pages = uvm_mask_none();

        for (; i < replay->faults && replay->batch[i] / UVM_PAGES_PER_BLOCK == index; i++)
            uvm_mask_set(&pages, (unsigned)(replay->batch[i] % UVM_PAGES_PER_BLOCK));
        settle(replay->space, &replay->space->block[index], pages);
    }
}

/* Up to where the stream is touched. */
static uint64_t touched_end(const struct replay *replay, const struct stream *stream)
{
    for (uint64_t end = stream->end; replay->marked && end > stream->next;) {
        const uint64_t first = (end - 1) / UVM_PAGES_PER_BLOCK * UVM_PAGES_PER_BLOCK;
        const struct uvm_block *block = &replay->space->block[first / UVM_PAGES_PER_BLOCK];
        int page = -1;
        if (is_touched(replay->space, first / UVM_PAGES_PER_BLOCK)) {
            const struct uvm_mask marks = uvm_mask_or(block->touched_read, block->touched_write);
            page = uvm_mask_previous(&marks, (unsigned)(end - first) - 1);
        }
        if (page >= 0)
            return first + (uint64_t)page + 1 > stream->next ? first + (uint64_t)page + 1 : stream->next + 1;
        end = first;
    }
    return stream->end;
}

/* The next allocations that are to be walked together. */
static unsigned find_streams(struct replay *replay, struct uvm_stream *stream)
{
    unsigned count = 0;

    for (; replay->streams > 0; replay->streams--)
        stream[count++] = (struct uvm_stream){replay->stream[0].next, replay->stream[0].end};
    while (replay->marked && count < UVM_STREAMS && find_stream(replay, &replay->stream[0])) {
        const struct stream *found = &replay->stream[0];
        stream[count++] = (struct uvm_stream){found->next, touched_end(replay, found)};
    }
    return count;
}

static bool is_upgrade(const struct replay *replay, uint64_t page)
{
    const struct uvm_block *block = &replay->space->block[page / UVM_PAGES_PER_BLOCK];
    return uvm_mask_test(&block->readable[UVM_GPU], (unsigned)(page % UVM_PAGES_PER_BLOCK));
}

static bool stays_on_host(const struct replay *replay, uint64_t page)
{
    const struct uvm_mask none[UVM_PROCESSORS] = {{{0}}, {{0}}};
    const struct uvm_region alone = {(unsigned)(page % UVM_PAGES_PER_BLOCK),
                                     (unsigned)(page % UVM_PAGES_PER_BLOCK) + 1};
    const struct uvm_mask host = uvm_destined_for_cpu(&replay->space->block[page / UVM_PAGES_PER_BLOCK],
                                                      UVM_GPU, uvm_mask_of(alone), none);
    return !uvm_mask_is_empty(host);
}

/* What came of a batch, as far as the next one depends on it. */
struct outcome {
    bool drops; /* what has arrived meanwhile is dropped */
    bool on_host, upgrades;
};

/* Leaves each page of a batch, sorted, once, without those that have come meanwhile, and without those write
 * permissions that are not given yet. */
static struct outcome coalesce(struct replay *replay)
{
    const unsigned faults = replay->faults;
    unsigned pages = 0, upgrades = 0;
    struct outcome outcome = {0};
    uint64_t last = UINT64_MAX;

    replay->faults = 0;
    for (unsigned i = 0; i < faults; i++) {
        const uint64_t page = replay->batch[i];
        if (page == last)
            continue;
        last = page;
        pages++;
        if (!page_faults(replay, page))
            continue;
        outcome.on_host |= stays_on_host(replay, page);
        const bool upgrade = is_upgrade(replay, page);
        outcome.upgrades |= upgrade;
        if (upgrade && ++upgrades > UVM_UPGRADES_PER_BATCH && !uvm_warps_sparse())
            continue;
        replay->batch[replay->faults++] = page;
    }
    outcome.drops = (faults - pages) * 100 > faults * UVM_FAULT_UPDATE_PUT_RATIO;
    return outcome;
}

static enum uvm_status replay_streams(struct replay *replay, const struct uvm_launch *launch,
                                      const struct uvm_stream *stream, unsigned count)
{
    static uint64_t page[UVM_FAULTS_UNDER_WAY];
    const struct uvm_block *first = &replay->space->block[stream[0].first / UVM_PAGES_PER_BLOCK];
    const bool writes = replay->marked ? !uvm_mask_is_empty(first->touched_write) : replay->is_write;
    unsigned under_way = 0, next = 0, most = UVM_FAULT_BATCH_COUNT;
    enum uvm_round round = UVM_ROUND_FULL;
    enum uvm_status status = UVM_OK;

    uint64_t all_pages = 0; /* a batch brings one at least */

    for (unsigned i = 0; i < count; i++)
        all_pages += stream[i].end - stream[i].first;
    uvm_warps_start(launch, writes, stream, count, next_page_that_faults, replay);
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

static enum uvm_status replay_launch(struct replay *replay, const struct uvm_launch *launch)
{
    struct uvm_stream stream[UVM_STREAMS];
    enum uvm_status status = UVM_OK;

    for (unsigned count; status == UVM_OK && (count = find_streams(replay, stream)) > 0;)
        status = replay_streams(replay, launch, stream, count);
    return status;
}

/* ---- the launch is charged: its marks go ---- */

static void clear_marks(struct uvm_space *space)
{
    for (size_t i = 0; i * 64 < space->blocks_end; i++) {
        for (uint64_t bits = space->touched[i]; bits; bits &= bits - 1)
            settle(space, &space->block[i * 64 + (size_t)__builtin_ctzll(bits)],
                   uvm_mask_of((struct uvm_region){0, UVM_PAGES_PER_BLOCK}));
        space->touched[i] = 0;
    }
}

/* Where device memory is short a warp may find its page evicted again before its turn: then each page is
 * asked for once, in order. */
static bool order_is_known(const struct uvm_space *space, const struct uvm_launch *launch)
{
    return launch && launch->blocks && launch->blocks <= LARGEST_GRID && launch->threads_per_block &&
           launch->threads_per_block <= LARGEST_BLOCK && launch->multiprocessors && launch->blocks_at_once &&
           !space->device->is_short;
}

static enum uvm_status replay_in_order_of(struct replay *replay, const struct uvm_launch *launch)
{
    enum uvm_status status = UVM_OK;
    const unsigned streams = replay->streams;

    forget_calm(replay);
    if (order_is_known(replay->space, launch)) {
        status = replay_launch(replay, launch);
        replay->streams = streams; /* and whatever the warps' walk has left out */
        replay->unscanned = 0;
    }
    return status == UVM_OK ? replay_all(replay) : status;
}

enum uvm_status uvm_gpu_replay(struct uvm_space *space, const struct uvm_launch *launch,
                               struct uvm_delta *delta)
{
    struct replay replay = {.space = space, .delta = delta, .marked = true};
    enum uvm_status status = replay_in_order_of(&replay, launch);

    clear_marks(space);
    return status;
}

enum uvm_status uvm_gpu_access(struct uvm_space *space, uintptr_t address, size_t bytes, bool is_write,
                               const struct uvm_launch *launch, struct uvm_delta *delta)
{
    struct replay replay = {.space = space, .delta = delta, .is_write = is_write, .streams = 1};
    uint64_t batches = delta->gpu_fault_batches;
    struct uvm_walk walk;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    replay.stream[0] = (struct stream){walk.page, walk.end};
    enum uvm_status status = replay_in_order_of(&replay, launch);
    if (status != UVM_OK)
        return status;
    return delta->gpu_fault_batches != batches ? UVM_OK : UVM_ALREADY_GRANTED;
}
