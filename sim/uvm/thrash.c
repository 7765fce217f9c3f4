/**
 * @file thrash.c
 * @brief Detects pages that both sides fight over, and throttles or pins them (the driver's
 * uvm_perf_thrashing.c).
 *
 * A page that moves again within 500 us of its last move counts an event. The third event makes it a
 * thrashing page, which from then on moves alone. Of the faults on a thrashing page, one processor's are
 * serviced; the other processor is throttled: it has to wait, for 500 us at most. After ten throttles the
 * page is pinned for 150 ms. As the CPU cannot map device memory, the page is pinned on the host: a GPU
 * maps it there, and neither side faults any more. GPUs with a link between them that fight over a page are
 * not kept waiting: it is pinned where it is, and the other one maps it there. When the pin ends, that
 * mapping goes, and everything can begin again. A page that does not move for 500 us becomes an ordinary one
 * again.
 *
 * Moves that the program asked for (prefetch, advice, ReadMostly) make the page an ordinary one. Evictions do
 * not count.
 *
 * Not modelled: revocations. On hardware, atomics of both sides on a pinned page take away each other's
 * permission, and are throttled for that.
 */
#include "internal.h"

#include <string.h>

enum hint { SERVICE, THROTTLE, PIN };

static struct uvm_thrash_page *pages_of(const struct uvm_space *space, const struct uvm_block *block)
{
    return &space->thrash_page[uvm_block_index(space, block) * UVM_PAGES_PER_BLOCK];
}

static void saturating_increment(uint8_t *count)
{
    *count += *count < UINT8_MAX;
}

/* ---- records ---- */

static void watch(struct uvm_space *space, struct uvm_block *block)
{
    struct uvm_thrash_page *page = pages_of(space, block);

    for (unsigned i = 0; i < UVM_PAGES_PER_BLOCK; i++)
        page[i] = (struct uvm_thrash_page){.favoured = UVM_NO_PROCESSOR, .pinned_to = UVM_NO_PROCESSOR};
    block->thrash.watched = true;
}

static void note_pinned(struct uvm_space *space, const struct uvm_block *block)
{
    size_t index = uvm_block_index(space, block);

    if (uvm_mask_is_empty(block->thrash.pinned))
        space->pinned[index / 64] &= ~(UINT64_C(1) << index % 64);
    else
        space->pinned[index / 64] |= UINT64_C(1) << index % 64;
}

static void end_throttles(struct uvm_thrash_page *page, unsigned processors)
{
    if (!(page->throttled & processors))
        return;
    page->throttled = (uvm_processors)(page->throttled & ~processors);
    if (!page->throttled)
        page->throttle_end_ns = 0;
}

/* Makes the page an ordinary one again. As in the driver, it remembers how often it was throttled and which
 * processor was favoured. */
static void forget_page(struct uvm_block *block, struct uvm_thrash_page *page, unsigned at)
{
    const struct uvm_mask one = uvm_mask_of((struct uvm_region){at, at + 1});

    end_throttles(page, ~0u);
    page->pinned_to = UVM_NO_PROCESSOR;
    page->moved_ns = 0;
    page->events = 0;
    page->processors = 0;
    block->thrash.thrashing = uvm_mask_minus(block->thrash.thrashing, one);
    block->thrash.pinned = uvm_mask_minus(block->thrash.pinned, one);
}

void uvm_thrash_forget(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages)
{
    struct uvm_mask known = uvm_mask_and(pages, block->thrash.thrashing);

    if (uvm_mask_is_empty(known))
        return;
    uvm_for_each_page(at, &known) forget_page(block, &pages_of(space, block)[at], at);
    note_pinned(space, block);
}

void uvm_thrash_end(struct uvm_space *space, struct uvm_block *block)
{
    block->thrash = (struct uvm_thrash_block){0};
    note_pinned(space, block);
}

/* ---- a page has moved ---- */

/* @return whether that makes it a thrashing page */
static bool page_moved(struct uvm_block *block, struct uvm_thrash_page *page, unsigned at,
                       enum uvm_processor destination, uint64_t now)
{
    const uint64_t before = page->moved_ns;

    page->processors = (uvm_processors)(page->processors | uvm_bit(destination));
    page->moved_ns = now;
    if (before == 0)
        return false;
    if (now - before <= UVM_THRASHING_LAPSE_NS) {
        saturating_increment(&page->events);
        if (page->events >= UVM_THRASHING_THRESHOLD)
            block->thrash.thrashed_ns = now;
        return page->events == UVM_THRASHING_THRESHOLD;
    }
    if (page->events >= UVM_THRASHING_THRESHOLD)
        forget_page(block, page, at);
    return false;
}

void uvm_thrash_moved(struct uvm_space *space, struct uvm_block *block, enum uvm_processor destination,
                      struct uvm_mask pages, enum uvm_cause cause, struct uvm_delta *delta)
{
    const struct uvm_mask asked_for =
        cause == UVM_CAUSE_USER ? pages : uvm_mask_and(pages, block->read_mostly);
    const uint64_t now = delta->now_ns;
    struct uvm_mask found = uvm_mask_none();

    if (now == 0 || cause == UVM_CAUSE_EVICTION)
        return;
    uvm_thrash_forget(space, block, asked_for);
    /* a move because of a pin is no event */
    pages = uvm_mask_minus(uvm_mask_minus(pages, asked_for), block->thrash.pinned);
    if (uvm_mask_is_empty(pages))
        return;
    if (!block->thrash.watched && block->thrash.moved_ns != 0 && block->thrash.moved_to != destination &&
        now - block->thrash.moved_ns <= UVM_THRASHING_LAPSE_NS)
        watch(space, block);
    if (block->thrash.watched) {
        struct uvm_thrash_page *page = pages_of(space, block);
        uvm_for_each_page(at, &pages) if (page_moved(block, &page[at], at, destination, now))
            uvm_mask_set(&found, at);
        block->thrash.thrashing = uvm_mask_or(block->thrash.thrashing, found);
        delta->pages_thrashing += uvm_mask_count(found);
        uvm_tell(space, block, delta, UVM_EVENT_THRASHING, destination, UVM_NO_PROCESSOR, found);
    }
    block->thrash.moved_ns = now;
    block->thrash.moved_to = (uint8_t)destination;
}

/* ---- a page has faulted ---- */

/* A block that was quiet for an epoch starts afresh, up to UVM_THRASHING_MAX_RESETS times. */
static bool is_forgiven(struct uvm_block *block, uint64_t now)
{
    struct uvm_thrash_block *thrash = &block->thrash;
    const uint8_t resets = thrash->resets;

    if (thrash->thrashed_ns == 0 || now - thrash->thrashed_ns <= UVM_THRASHING_EPOCH_NS ||
        thrash->ever_pinned || resets >= UVM_THRASHING_MAX_RESETS)
        return false;
    *thrash = (struct uvm_thrash_block){.resets = (uint8_t)(resets + 1)};
    return true;
}

/* A new period favours the processor that faults, unless that was favoured in the last one. */
static void update_period(struct uvm_thrash_page *page, enum uvm_processor processor, uint64_t now)
{
    if (now > page->throttle_end_ns) {
        page->throttle_end_ns = now + UVM_THRASHING_NAP_NS;
        page->favoured = page->favoured == processor ? UVM_NO_PROCESSOR : (uint8_t)processor;
    } else if (page->favoured == UVM_NO_PROCESSOR) {
        page->favoured = (uint8_t)processor;
    }
}

/* Whether all who fight over the page reach `where`. */
static bool all_reach(const struct uvm_system *system, const struct uvm_thrash_page *page,
                      enum uvm_processor where)
{
    bool all = true;

    uvm_for_each_processor(it, system) all &=
        !(page->processors & uvm_bit(it)) || uvm_reaches(system, it, where);
    return all;
}

/* The place nearest to `processor` that all who fight over the page reach: it is its own at last. */
static enum uvm_processor common_place(const struct uvm_system *system, const struct uvm_thrash_page *page,
                                       enum uvm_processor processor)
{
    for (unsigned i = 0; i < system->processors; i++) {
        const enum uvm_processor where = uvm_closest(system, processor, i);
        if (all_reach(system, page, where))
            return where;
    }
    return processor;
}

/* The hint for a pinned page. The favoured processor has it pinned where all reach it; the others map it
 * where it is, if they can. */
static enum hint hint_pinned(const struct uvm_system *system, const struct uvm_thrash_page *page,
                             enum uvm_processor processor, enum uvm_processor *to)
{
    *to = (enum uvm_processor)page->pinned_to;
    if (page->favoured == processor) {
        *to = common_place(system, page, processor);
        return PIN;
    }
    return uvm_reaches(system, processor, *to) ? PIN : THROTTLE;
}

static enum hint hint_unpinned(const struct uvm_thrash_page *page, enum uvm_processor processor)
{
    if (page->favoured != processor)
        return THROTTLE;
    return page->throttles >= UVM_THRASHING_PIN_THRESHOLD ? PIN : SERVICE;
}

/* The hint for the processor that the page prefers to be on, where not all reach it. */
static enum hint hint_preferred(const struct uvm_thrash_page *page, enum uvm_processor processor)
{
    if (page->pinned_to != UVM_NO_PROCESSOR)
        return page->pinned_to == processor || page->favoured == processor ? PIN : THROTTLE;
    return hint_unpinned(page, processor);
}

static enum uvm_processor preferred_location(const struct uvm_system *system, const struct uvm_block *block,
                                             unsigned at)
{
    uvm_for_each_processor(it, system) if (uvm_mask_test(&block->preferred[it], at)) return it;
    return UVM_NO_PROCESSOR;
}

static enum uvm_processor closest_holder(const struct uvm_system *system, const struct uvm_block *block,
                                         enum uvm_processor processor, unsigned at)
{
    for (unsigned i = 0; i < system->processors; i++)
        if (uvm_mask_test(&block->resident[uvm_closest(system, processor, i)], at))
            return uvm_closest(system, processor, i);
    return UVM_NO_PROCESSOR;
}

/* get_hint_for_migration_thrashing */
static enum hint hint_for(const struct uvm_system *system, const struct uvm_block *block,
                          const struct uvm_thrash_page *page, unsigned at, enum uvm_processor processor,
                          enum uvm_processor *to)
{
    const enum uvm_processor preferred = preferred_location(system, block, at),
                             holder = closest_holder(system, block, processor, at);
    const bool has_preferred = preferred != UVM_NO_PROCESSOR;

    if (has_preferred && all_reach(system, page, preferred)) {
        *to = preferred;
        return PIN;
    }
    if (!(has_preferred && page->processors & uvm_bit(preferred)) && uvm_is_gpu(holder) &&
        !(page->processors & ~system->fast[holder])) {
        *to = holder; /* all of them are as fast there */
        return PIN;
    }
    *to = processor;
    if (processor == preferred)
        return hint_preferred(page, processor);
    if (page->pinned_to != UVM_NO_PROCESSOR)
        return hint_pinned(system, page, processor, to);
    return hint_unpinned(page, processor);
}

static void pin(struct uvm_space *space, struct uvm_block *block, unsigned at, enum uvm_processor to,
                struct uvm_delta *delta)
{
    struct uvm_thrash_page *page = &pages_of(space, block)[at];
    const bool is_pinned = page->pinned_to != UVM_NO_PROCESSOR;

    if (!is_pinned || !uvm_mask_test(&block->resident[to], at))
        end_throttles(page, ~0u);
    if (!is_pinned) {
        page->unpin_ns = delta->now_ns + UVM_THRASHING_PIN_NS;
        page->throttles = 0;
        block->thrash.ever_pinned = true;
        uvm_mask_set(&block->thrash.pinned, at);
        note_pinned(space, block);
        if (space->unpin_ns == 0 || page->unpin_ns < space->unpin_ns)
            space->unpin_ns = page->unpin_ns;
        delta->pages_pinned++;
    }
    page->pinned_to = (uint8_t)to;
}

/* usleep_range() lets the CPU sleep half as long again, and an idle CPU does. The GPU goes on faulting
 * meanwhile, without success. */
static void throttle(const struct uvm_space *space, const struct uvm_block *block, unsigned at,
                     enum uvm_processor processor, struct uvm_delta *delta)
{
    struct uvm_thrash_page *page = &pages_of(space, block)[at];

    if (page->throttled & uvm_bit(processor))
        return;
    page->throttled = (uvm_processors)(page->throttled | uvm_bit(processor));
    if (page->pinned_to == UVM_NO_PROCESSOR)
        saturating_increment(&page->throttles);
    delta->throttles[processor]++;
    if (!delta->observer)
        return;
    struct uvm_event event = {.type = UVM_EVENT_THROTTLING,
                              .processor = processor,
                              .from = UVM_NO_PROCESSOR,
                              .cause = UVM_CAUSES,
                              .address = uvm_page_address(space, block, at),
                              .bytes = UVM_PAGE_BYTES,
                              .wait_ns = uvm_thrash_nap(processor, page->throttle_end_ns - delta->now_ns)};
    delta->observer(delta->observer_context, &event);
}

/* uvm_perf_thrashing_get_hint */
static enum hint hint(const struct uvm_system *system, struct uvm_block *block, struct uvm_thrash_page *page,
                      unsigned at, enum uvm_processor processor, uint64_t now, enum uvm_processor *to)
{
    if (page->events < UVM_THRASHING_THRESHOLD)
        return SERVICE;
    if (page->throttled & uvm_bit(processor)) {
        if (now < page->throttle_end_ns && page->favoured != processor)
            return THROTTLE;
        end_throttles(page, uvm_bit(processor));
    }
    if (now - page->moved_ns > UVM_THRASHING_LAPSE_NS && page->pinned_to == UVM_NO_PROCESSOR)
        return SERVICE;
    page->processors = (uvm_processors)(page->processors | uvm_bit(processor));
    update_period(page, processor, now);
    return hint_for(system, block, page, at, processor, to);
}

static void note_pin(struct uvm_thrash_hints *hints, enum uvm_processor to, unsigned at)
{
    if (!hints->any_pinned)
        memset(hints->pinned, 0, sizeof hints->pinned);
    hints->any_pinned = true;
    uvm_mask_set(&hints->pinned[to], at);
}

void uvm_thrash_ask(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                    struct uvm_mask faulted, struct uvm_thrash_hints *hints, struct uvm_delta *delta)
{
    hints->throttled = uvm_mask_none();
    hints->wake_ns = UINT64_MAX;
    hints->any_pinned = false;
    if (delta->now_ns == 0 || !block->thrash.watched || is_forgiven(block, delta->now_ns))
        return;
    faulted = uvm_mask_and(faulted, block->thrash.thrashing);
    uvm_for_each_page(at, &faulted)
    {
        struct uvm_thrash_page *page = &pages_of(space, block)[at];
        enum uvm_processor to = processor;
        switch (hint(space->system, block, page, at, processor, delta->now_ns, &to)) {
        case THROTTLE:
            throttle(space, block, at, processor, delta);
            uvm_mask_set(&hints->throttled, at);
            if (page->throttle_end_ns < hints->wake_ns)
                hints->wake_ns = page->throttle_end_ns;
            break;
        case PIN:
            pin(space, block, at, to, delta);
            note_pin(hints, to, at);
            break;
        case SERVICE:
            break;
        }
    }
}

uint64_t uvm_thrash_nap(enum uvm_processor processor, uint64_t ns)
{
    return processor == UVM_CPU ? ns + ns / 2 : ns;
}

struct uvm_mask uvm_thrash_fought_by(const struct uvm_space *space, const struct uvm_block *block,
                                     enum uvm_processor gpu, struct uvm_mask pinned)
{
    struct uvm_mask fought = uvm_mask_none();

    uvm_for_each_page(at, &pinned) if (pages_of(space, block)[at].processors & uvm_bit(gpu))
        uvm_mask_set(&fought, at);
    return fought;
}

/* ---- the end of a pin ---- */

static void unpin_block(struct uvm_space *space, struct uvm_block *block, uint64_t now, uint64_t *next)
{
    struct uvm_mask pinned = block->thrash.pinned, ended = uvm_mask_none();

    uvm_for_each_page(at, &pinned)
    {
        const uint64_t end = pages_of(space, block)[at].unpin_ns;
        if (end <= now + UVM_THRASHING_TIMER_NS)
            uvm_mask_set(&ended, at);
        else if (*next == 0 || end < *next)
            *next = end;
    }
    uvm_for_each_processor(processor, space->system)
    {
        struct uvm_mask remote =
            uvm_mask_minus(ended, uvm_mask_or(block->resident[processor], block->accessed_by[processor]));
        uvm_revoke(space, block, processor, remote);
    }
    uvm_thrash_forget(space, block, ended);
}

void uvm_unpin(struct uvm_space *space, uint64_t now_ns)
{
    uint64_t next = 0;

    if (!uvm_pins_end(space, now_ns))
        return;
    for (size_t i = 0; i * 64 < space->blocks_end; i++)
        for (uint64_t bits = space->pinned[i]; bits; bits &= bits - 1)
            unpin_block(space, &space->block[i * 64 + (size_t)__builtin_ctzll(bits)], now_ns, &next);
    space->unpin_ns = next;
}
