/**
 * @file faulting.c
 * @brief Finds the pages of a launch that fault: those that are touched and not granted, one after another.
 *
 * The search is repeated for each warp, so blocks that are known to have no such page are skipped.
 */
#include "replay.h"

struct uvm_mask uvm_replay_written(const struct uvm_replay *replay, const struct uvm_block *block)
{
    if (replay->marked)
        return block->touched_write;
    return replay->is_write ? block->valid : uvm_mask_none();
}

/* The pages 64 i to 64 i + 63 that fault, as bits. */
static inline uint64_t faulting_word(const struct uvm_replay *replay, const struct uvm_block *block,
                                     unsigned i)
{
    const uint64_t read = (replay->marked ? &block->touched_read : &block->valid)->word[i];
    const uint64_t written = replay->marked ? block->touched_write.word[i] : replay->is_write ? read : 0;

    return (read & ~written & ~block->readable[replay->gpu].word[i]) |
           (written & ~block->writable[replay->gpu].word[i]);
}

bool uvm_replay_is_touched(const struct uvm_space *space, uint64_t block)
{
    return space->touched[block / 64] >> block % 64 & 1;
}

static bool is_fault_free(const struct uvm_space *space, uint64_t block)
{
    return space->fault_free[block / 64] >> block % 64 & 1;
}

void uvm_replay_forget_fault_free(const struct uvm_replay *replay)
{
    const struct uvm_space *space = replay->space;

    for (size_t i = 0; i * 64 < space->blocks_end; i++)
        space->fault_free[i] = replay->marked ? ~space->touched[i] : 0;
}

/* The first block at or after `block` that is not known to be free of faults. A result of `end` or more means
 * that there is none before `end`. */
static uint64_t next_uncalm(const struct uvm_space *space, uint64_t block, uint64_t end)
{
    uint64_t i = block / 64, bits = ~space->fault_free[i] >> block % 64 << block % 64;

    while (bits == 0 && ++i * 64 < end)
        bits = ~space->fault_free[i];
    return i * 64 + (bits ? (unsigned)__builtin_ctzll(bits) : 0);
}

uint64_t uvm_replay_next_page(const void *context, uint64_t page, uint64_t end)
{
    const struct uvm_replay *replay = context;
    const struct uvm_space *space = replay->space;
    const uint64_t end_block = (end + UVM_PAGES_PER_BLOCK - 1) / UVM_PAGES_PER_BLOCK;

    while (page < end) {
        const uint64_t index = page / UVM_PAGES_PER_BLOCK, outer = (index + 1) * UVM_PAGES_PER_BLOCK;
        const uint64_t last = (outer < end ? outer : end) - 1;
        if (is_fault_free(space, index)) {
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
            space->fault_free[index / 64] |= UINT64_C(1) << index % 64;
        page = outer;
    }
    return UINT64_MAX;
}

bool uvm_replay_faults(const struct uvm_replay *replay, uint64_t page)
{
    const struct uvm_block *block = &replay->space->block[page / UVM_PAGES_PER_BLOCK];
    return faulting_word(replay, block, (unsigned)(page % UVM_PAGES_PER_BLOCK) / 64) >> page % 64 & 1;
}

uint64_t uvm_replay_next_fault(const struct uvm_replay *replay, struct uvm_range *stream)
{
    const uint64_t page = uvm_replay_next_page(replay, stream->next, stream->end);

    stream->next = page == UINT64_MAX ? stream->end : page + 1;
    return page;
}

/* Where the range that the page is in ends. */
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

bool uvm_replay_find_range(struct uvm_replay *replay, struct uvm_range *stream)
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
        if (uvm_replay_is_touched(space, index)) {
            struct uvm_mask marks = uvm_mask_or(block->touched_read, block->touched_write);
            page = uvm_mask_next(&marks, (unsigned)(replay->unscanned - first));
        }
        replay->unscanned = first + page;
        if (page < UVM_PAGES_PER_BLOCK) {
            *stream = (struct uvm_range){first + page, range_end(space, first + page)};
            replay->unscanned = stream->end;
            return true;
        }
    }
    return false;
}
