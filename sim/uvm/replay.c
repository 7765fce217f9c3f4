/*
 * replay.c: charging a launch for what it touched.
 *
 * What faults a real GPU takes depends on when its warps happen to run; 428 to 463 were seen in 100 runs of
 * one program that simulated it in the fault handler. Here the *set* of touched pages is all that counts. It
 * is replayed as if the launch had walked each allocation from its start, all allocations at the same pace:
 * the driver fetches a batch of faults (uvm_gpu_replayable_faults.c), sorts them by block, services each
 * block once (that is one fault group), and lets the GPU go on to what it has not got yet.
 */
#include "internal.h"

/** Allocations that a launch walks at the same pace; further ones follow as those end. */
#define STREAMS 64

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
    struct stream stream[STREAMS];
    unsigned streams;
    uint64_t batch[UVM_FAULT_BATCH_COUNT];
    unsigned faults;
};

/* ---- which pages fault ---- */

static struct uvm_mask written_pages(const struct replay *replay, const struct uvm_block *block)
{
    if (replay->marked)
        return block->touched_write;
    return replay->is_write ? block->valid : uvm_mask_none();
}

static struct uvm_mask faulting_pages(const struct replay *replay, const struct uvm_block *block)
{
    struct uvm_mask written = written_pages(replay, block);
    struct uvm_mask read = replay->marked ? block->touched_read : block->valid;

    read = uvm_mask_minus(uvm_mask_minus(read, written), block->readable[UVM_GPU]);
    return uvm_mask_or(read, uvm_mask_minus(written, block->writable[UVM_GPU]));
}

static bool is_touched(const struct uvm_space *space, uint64_t block)
{
    return space->touched[block / 64] >> block % 64 & 1;
}

/* The stream's next page that faults, and steps past it; UINT64_MAX at its end. */
static uint64_t next_fault(const struct replay *replay, struct stream *stream)
{
    while (stream->next < stream->end) {
        uint64_t index = stream->next / UVM_PAGES_PER_BLOCK, first = index * UVM_PAGES_PER_BLOCK;
        unsigned page = UVM_PAGES_PER_BLOCK;

        if (!replay->marked || is_touched(replay->space, index)) {
            struct uvm_mask faulting = faulting_pages(replay, &replay->space->block[index]);
            page = uvm_mask_next(&faulting, (unsigned)(stream->next - first));
        }
        stream->next = first + page;
        if (page < UVM_PAGES_PER_BLOCK && stream->next < stream->end)
            return stream->next++;
    }
    return UINT64_MAX;
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

/* Fills the batch, a page of each stream in turn. */
static void gather(struct replay *replay)
{
    unsigned limit = replay->space->device->distinct_pages_per_batch;

    limit = limit < 1 ? 1 : limit > UVM_FAULT_BATCH_COUNT ? UVM_FAULT_BATCH_COUNT : limit;
    replay->faults = 0;
    for (unsigned i = 0; replay->faults < limit; i++) {
        if (i >= replay->streams) {
            if (replay->marked && i < STREAMS && find_stream(replay, &replay->stream[i]))
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

static enum uvm_status service_group(struct replay *replay, struct uvm_block *block, struct uvm_region region,
                                     struct uvm_mask faulted)
{
    struct uvm_mask written = uvm_mask_and(faulted, written_pages(replay, block));
    struct uvm_delta *delta = replay->delta;

    delta->gpu_fault_groups++;
    if (delta->observer) {
        unsigned first = uvm_mask_next(&faulted, 0);
        struct uvm_event event = {.type = UVM_EVENT_GPU_FAULT,
                                  .processor = UVM_GPU,
                                  .cause = UVM_CAUSES,
                                  .is_write = !uvm_mask_is_empty(written),
                                  .address = uvm_page_address(replay->space, block, first),
                                  .bytes = uvm_mask_count(faulted) * UVM_PAGE_BYTES};
        delta->observer(delta->observer_context, &event);
    }
    return uvm_service(replay->space, block, region, UVM_GPU, faulted, written, delta);
}

static enum uvm_status service_batch(struct replay *replay)
{
    enum uvm_status status = UVM_OK;

    replay->delta->gpu_fault_batches++;
    sort(replay->batch, replay->faults);
    for (unsigned i = 0; i < replay->faults && status == UVM_OK;) {
        uint64_t first = replay->batch[i] / UVM_PAGES_PER_BLOCK * UVM_PAGES_PER_BLOCK;
        struct uvm_block *block = &replay->space->block[first / UVM_PAGES_PER_BLOCK];
        struct uvm_region region = uvm_policy_region(block, (unsigned)(replay->batch[i] - first));
        struct uvm_mask faulted = uvm_mask_none();

        for (; i < replay->faults && replay->batch[i] < first + region.outer; i++)
            uvm_mask_set(&faulted, (unsigned)(replay->batch[i] - first));
        status = service_group(replay, block, region, faulted);
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
        status = service_batch(replay);
    }
    return status;
}

/* ---- the launch is charged: its marks go ---- */

/* What the launch was allowed to open may be more than what it is granted in the end. */
static void settle_block(struct uvm_space *space, struct uvm_block *block)
{
    struct uvm_mask read = block->touched_read, written = block->touched_write;
    struct uvm_mask opened_to_write = uvm_mask_or(written, uvm_mask_minus(read, block->read_mostly));
    struct uvm_mask excess = uvm_mask_or(uvm_mask_minus(read, block->readable[UVM_GPU]),
                                         uvm_mask_minus(opened_to_write, block->writable[UVM_GPU]));

    if (!uvm_mask_is_empty(excess))
        uvm_note_revoked(space, block, UVM_GPU);
    block->touched_read = block->touched_write = uvm_mask_none();
}

static void clear_marks(struct uvm_space *space)
{
    for (size_t i = 0; i * 64 < space->blocks_end; i++) {
        for (uint64_t bits = space->touched[i]; bits; bits &= bits - 1)
            settle_block(space, &space->block[i * 64 + (size_t)__builtin_ctzll(bits)]);
        space->touched[i] = 0;
    }
}

enum uvm_status uvm_gpu_replay(struct uvm_space *space, struct uvm_delta *delta)
{
    struct replay replay = {.space = space, .delta = delta, .marked = true};
    enum uvm_status status = replay_all(&replay);

    clear_marks(space);
    return status;
}

enum uvm_status uvm_gpu_access(struct uvm_space *space, uintptr_t address, size_t bytes, bool is_write,
                               struct uvm_delta *delta)
{
    struct replay replay = {.space = space, .delta = delta, .is_write = is_write, .streams = 1};
    uint64_t batches = delta->gpu_fault_batches;
    struct uvm_walk walk;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    replay.stream[0] = (struct stream){walk.page, walk.end};
    enum uvm_status status = replay_all(&replay);
    if (status != UVM_OK)
        return status;
    return delta->gpu_fault_batches != batches ? UVM_OK : UVM_ALREADY_GRANTED;
}
