/**
 * @file warps.c
 * @brief Implementation of warps.h: blocks on multiprocessors, the steps of their warps, and the order of
 * their faults.
 *
 * A block of threads has a slot on a multiprocessor until all its warps have ended; then the next block gets
 * the slot. A warp is at a step: a range of each allocation that its 32 threads touch at once. It stays at
 * the step while a page of it faults. Lengths are in 1/65536 of a byte, because a thread's share need not be
 * a whole number of bytes.
 */
#include "warps.h"

#include <string.h>

#define WARP_THREADS 32
#define FAULTS_OF_STEP (8 * WARP_THREADS)
#define FRACTION 65536u
#define PAGE_LENGTH (UVM_PAGE_BYTES * FRACTION)
/** A warp sends a fault for each line of 128 bytes. */
#define LINE_LENGTH ((uint64_t)128 * FRACTION)
/** A thread that touches more than four words does so in a loop, so more is not touched at once. */
#define LONGEST_TOUCH 16
#define WORD 4
/** With less than one touch in so many bytes on average, the kernel touches single words. */
#define SPARSE_BYTES 512

/** The largest device that is modelled in full: 264 multiprocessors of 64 warps, 32 blocks. */
#define MULTIPROCESSORS 264
#define WARPS_PER_MULTIPROCESSOR 64
#define WARPS (MULTIPROCESSORS * WARPS_PER_MULTIPROCESSOR)
#define SLOTS (MULTIPROCESSORS * 32)
#define LONGEST_BURST 8
#define LONGEST_WRITING_BURST 5
#define ENDED UINT32_MAX
#define NO_PAGE UINT64_MAX

/** Faults that one multiprocessor has under way. Measured with one thread block that touches a page with each
 * thread: an H200 fetches 13 at a time. */
#define FAULTS_PER_MULTIPROCESSOR 13
/** Big pages that a pair of multiprocessors (a TPC) has under way. Measured likewise, with two blocks and
 * more. */
#define BIG_PAGES_PER_PAIR_WRITING 13
#define BIG_PAGES_PER_PAIR_READING 21

/** How far a fault may arrive out of order, in 1/256 of what all resident warps together touch. The figures
 * are for a block that has just started; for one that has waited before; for a block of a launch that loops,
 * whose warps drift apart. They are fitted, like the bursts, to the fault batches of 20 shapes of launches.
 */
#define WINDOW 256
#define DISORDER_STARTED 51
#define DISORDER_WAITING 614
#define DISORDER_LOOPING 1536
#define DISORDER_MOST (WINDOW + DISORDER_LOOPING)
#define BUCKETS (DISORDER_MOST + 1)

struct slot {
    uint64_t block;
    uint64_t oldest;      /* the step, counted over all warps, that its least advanced warp is at */
    uint16_t warp, fault; /* which warp's, and which, fault is sent next */
    bool ahead;           /* one step ahead, in this round */
    bool started;         /* since the last round */
};

static struct {
    const struct uvm_launch *launch;
    const struct uvm_stream *stream;
    unsigned streams;
    uvm_next_fault *next_fault;
    const void *context;
    bool writes, sparse, loops;
    struct walk {
        uint64_t share;  /* length that a thread touches at once; in a sparse kernel, a thread's own part */
        uint64_t length; /* of the allocation */
        uint64_t span, spans; /* length of a warp's step, how many whole ones there are */
        uint64_t part;        /* length of the parts of a step; each part sends a fault of its own */
    } walk[UVM_STREAMS];
    uint64_t warps;              /* of the launch */
    uint64_t blocks, next_block; /* the blocks that have anything to touch */
    unsigned warps_per_block, resident;
    struct slot slot[SLOTS];
    uint32_t step[WARPS]; /* by slot, then warp */
    uint64_t wait[WARPS]; /* the first page that it waits for */
    uint16_t order[SLOTS];
    uint8_t sent[MULTIPROCESSORS], pair_sent[MULTIPROCESSORS];
    uint64_t last[MULTIPROCESSORS]; /* big page sent last */
    uint64_t merged;                /* page sent last */
} all;

static uint32_t scramble(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;
    x = (x ^ x >> 15) * 0x2c1b3c6du;
    x = (x ^ x >> 12) * 0x297a2d39u;
    return x ^ x >> 15;
}

static void restart(unsigned slot, uint64_t block)
{
    const size_t first = (size_t)slot * all.warps_per_block, warps = all.warps_per_block;

    all.slot[slot] = (struct slot){.block = block, .started = true};
    memset(&all.step[first], 0, warps * sizeof all.step[0]);
    memset(&all.wait[first], 0xff, warps * sizeof all.wait[0]);
}

/* Finds out how a thread's touches lie. `longest` is the bytes of the largest allocation, `sum` those of all.
 */
static void choose_shares(uint64_t longest, uint64_t sum)
{
    const struct uvm_launch *launch = all.launch;
    const uint64_t threads = launch->blocks * launch->threads_per_block;
    uint64_t active = threads, share;

    if (launch->touches) {
        all.sparse = sum / SPARSE_BYTES > launch->touches;
        active = launch->touches < threads ? launch->touches : threads;
    } else { /* one touch a thread could have marked as much; with fewer, a loop would be more usual */
        all.sparse = longest / UVM_PAGE_BYTES >= threads && longest / UVM_BIG_PAGE_BYTES <= threads;
    }
    if (all.sparse) {
        share = longest * FRACTION / active;
    } else {
        share = longest * FRACTION / threads;
        if (share > LONGEST_TOUCH * FRACTION)
            share = WORD * FRACTION;
        else if (share < FRACTION)
            share = FRACTION;
    }
    if (share == 0)
        share = 1;
    all.loops = !all.sparse && share < longest * FRACTION / threads;
    for (unsigned i = 0; i < all.streams; i++) {
        const uint64_t pages = all.stream[i].end - all.stream[i].first;
        struct walk *walk = &all.walk[i];
        walk->share = share / (longest / UVM_PAGE_BYTES) * pages +
                      share % (longest / UVM_PAGE_BYTES) * pages / (longest / UVM_PAGE_BYTES);
        if (walk->share == 0)
            walk->share = 1;
        walk->length = pages * PAGE_LENGTH;
        walk->span = WARP_THREADS * walk->share;
        walk->spans = walk->length / walk->span;
        walk->part = all.sparse || walk->share > LINE_LENGTH ? walk->share : LINE_LENGTH;
    }
}

/* For a launch that does not loop, how many of its first blocks touch anything; those behind are beyond the
 * end of every allocation. */
static uint64_t blocks_with_work(void)
{
    uint64_t warps = 0;

    for (unsigned i = 0; i < all.streams; i++) {
        const uint64_t needed = all.walk[i].spans + 1;
        warps = needed > warps ? needed : warps;
    }
    return warps / all.warps_per_block + 1;
}

void uvm_warps_start(const struct uvm_launch *launch, bool writes, const struct uvm_stream *stream,
                     unsigned count, uvm_next_fault *next_fault, const void *context)
{
    uint64_t longest = 0, sum = 0, at_once = (uint64_t)launch->multiprocessors * launch->blocks_at_once;

    all.launch = launch;
    all.writes = writes;
    all.stream = stream;
    all.streams = count;
    all.next_fault = next_fault;
    all.context = context;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t bytes = (stream[i].end - stream[i].first) * UVM_PAGE_BYTES;
        longest = bytes > longest ? bytes : longest;
        sum += bytes;
    }
    choose_shares(longest, sum);
    all.warps_per_block = (launch->threads_per_block + WARP_THREADS - 1) / WARP_THREADS;
    all.warps = launch->blocks * all.warps_per_block;
    all.blocks = launch->blocks;
    if (!all.loops && all.blocks > blocks_with_work())
        all.blocks = blocks_with_work();
    at_once = at_once < all.blocks ? at_once : all.blocks;
    at_once = at_once < SLOTS ? at_once : SLOTS;
    if (at_once * all.warps_per_block > WARPS)
        at_once = WARPS / all.warps_per_block;
    all.resident = (unsigned)at_once;
    all.next_block = at_once;
    for (unsigned slot = 0; slot < all.resident; slot++)
        restart(slot, slot);
}

bool uvm_warps_sparse(void)
{
    return all.sparse;
}

/* ---- one warp ---- */

/* Where a warp's step begins in an allocation, and where it ends. */
static void range_of(unsigned i, uint64_t warp, uint32_t step, uint64_t *from, uint64_t *to)
{
    const struct walk *walk = &all.walk[i];
    const uint64_t index = step * all.warps + warp;

    *from = index > walk->spans ? walk->length : index * walk->span;
    *to = *from + walk->span < walk->length ? *from + walk->span : walk->length;
}

/* The pages of a step that fault, one for each fault. */
static unsigned faults_of_step(uint64_t warp, uint32_t step, uint64_t *page, unsigned most)
{
    unsigned faults = 0;

    for (unsigned i = 0; i < all.streams; i++) {
        const uint64_t first = all.stream[i].first, part = all.walk[i].part;
        uint64_t from, to;
        range_of(i, warp, step, &from, &to);
        for (; from < to && faults < most; from += part) {
            const uint64_t outer = from + part < to ? from + part : to;
            uint64_t found = all.next_fault(all.context, first + from / PAGE_LENGTH,
                                            first + (outer - 1) / PAGE_LENGTH + 1);
            if (found != NO_PAGE)
                page[faults++] = found;
        }
    }
    return faults;
}

/* The warp's next step at which something faults, or ENDED. */
static uint32_t next_step(uint64_t warp, uint32_t step)
{
    uint64_t next = ENDED;

    for (unsigned i = 0; i < all.streams; i++) {
        const struct uvm_stream *stream = &all.stream[i];
        const uint64_t stride = all.walk[i].span * all.warps;
        uint64_t from, to, at = step;
        for (;; at++) {
            range_of(i, warp, (uint32_t)at, &from, &to);
            if (from >= to || at >= next)
                break;
            const uint64_t page = stream->first + from / PAGE_LENGTH;
            const uint64_t found = all.next_fault(all.context, page, stream->end);
            if (found == NO_PAGE) {
                at = ENDED;
                break;
            }
            if (found <= stream->first + (to - 1) / PAGE_LENGTH)
                break;
            const uint64_t gap = (found - stream->first) * PAGE_LENGTH - from;
            at += gap / stride > 1 ? gap / stride - 1 : 0;
        }
        if (from < to && at < next)
            next = at;
    }
    return (uint32_t)next;
}

static bool still_waits(size_t i)
{
    return all.wait[i] != NO_PAGE && all.next_fault(all.context, all.wait[i], all.wait[i] + 1) != NO_PAGE;
}

/* ---- all warps ---- */

/* Runs the slot's warps, and the blocks that come after. False when no block is left. */
static bool run_slot(unsigned index)
{
    struct slot *slot = &all.slot[index];

    for (; slot->block < all.blocks; restart(index, all.next_block++)) {
        bool waits = false;
        for (unsigned i = 0; i < all.warps_per_block; i++) {
            const size_t at = (size_t)index * all.warps_per_block + i;
            const uint64_t warp = slot->block * all.warps_per_block + i;
            if (all.step[at] == ENDED)
                continue;
            if (!still_waits(at)) {
                all.step[at] = next_step(warp, all.step[at]);
                if (all.step[at] == ENDED)
                    continue;
                faults_of_step(warp, all.step[at], &all.wait[at], 1);
            }
            const uint64_t place = all.step[at] * all.warps + warp;
            if (!waits || place < slot->oldest)
                slot->oldest = place;
            waits = true;
        }
        if (waits)
            return true;
    }
    return false;
}

/* How far out of order a slot's faults arrive. In the first round all have been waiting for long, because the
 * driver has to wake up. */
static unsigned disorder_of(enum uvm_round round, uint32_t number, const struct slot *slot)
{
    if (round == UVM_ROUND_UPGRADES || all.loops)
        return DISORDER_LOOPING;
    return slot->started && number > 0 ? DISORDER_STARTED : DISORDER_WAITING;
}

/* Warps on each multiprocessor, on average. */
static unsigned warps_held(void)
{
    const unsigned held = all.resident * all.warps_per_block / all.launch->multiprocessors;
    return held < WARPS_PER_MULTIPROCESSOR ? held : WARPS_PER_MULTIPROCESSOR;
}

/* Whether a slot runs a step ahead. The more warps a multiprocessor has, the more often it does: half of the
 * time when it is full. */
static bool runs_ahead(unsigned slot, uint32_t number)
{
    return all.loops && all.writes && scramble(slot, number) % (2 * WARPS_PER_MULTIPROCESSOR) < warps_held();
}

/* Puts the slots that wait in the order of their faults' arrival. */
static unsigned order_slots(enum uvm_round round, uint32_t number)
{
    static uint16_t key[SLOTS], waiting[SLOTS];
    unsigned count = 0, place[BUCKETS + 1] = {0};
    uint64_t least = UINT64_MAX, window = (uint64_t)all.resident * all.warps_per_block;

    for (unsigned i = 0; i < all.resident; i++) {
        if (!run_slot(i))
            continue;
        waiting[count++] = (uint16_t)i;
        least = all.slot[i].oldest < least ? all.slot[i].oldest : least;
    }
    for (unsigned i = 0; i < count; i++) {
        struct slot *slot = &all.slot[waiting[i]];
        uint64_t rank = (slot->oldest - least) * WINDOW / window;
        rank += (uint64_t)scramble(number, waiting[i]) * disorder_of(round, number, slot) >> 32;
        key[i] = (uint16_t)(rank < BUCKETS ? rank : BUCKETS - 1);
        place[key[i] + 1]++;
        slot->started = false;
        slot->warp = slot->fault = 0;
        slot->ahead = runs_ahead(waiting[i], number);
    }
    for (unsigned i = 0; i < BUCKETS; i++)
        place[i + 1] += place[i];
    for (unsigned i = 0; i < count; i++)
        all.order[place[key[i]]++] = waiting[i];
    return count;
}

/* Whether the multiprocessor can have one more fault, on `page`, under way. If so, it has it from now on. */
static bool send(unsigned multiprocessor, uint64_t page)
{
    const unsigned most = all.writes ? BIG_PAGES_PER_PAIR_WRITING : BIG_PAGES_PER_PAIR_READING;
    const uint64_t big = page / UVM_PAGES_PER_BIG_PAGE;

    if (all.sent[multiprocessor] >= FAULTS_PER_MULTIPROCESSOR)
        return false;
    if (all.last[multiprocessor] != big) {
        if (all.pair_sent[multiprocessor / 2] >= most)
            return false;
        all.pair_sent[multiprocessor / 2]++;
        all.last[multiprocessor] = big;
    }
    all.sent[multiprocessor]++;
    return true;
}

/* A store does not hold up its warp, which may therefore fault one step ahead before it has to wait. */
static unsigned faults_from(uint64_t warp, uint32_t step, bool ahead, uint64_t faults[FAULTS_OF_STEP])
{
    unsigned count = ahead ? faults_of_step(warp, step + 1, faults, FAULTS_OF_STEP) : 0;
    return count ? count : faults_of_step(warp, step, faults, FAULTS_OF_STEP);
}

/* Lets the slot send up to `burst` faults. Returns how many; *more says whether it has others to send later.
 */
static unsigned send_burst(unsigned index, unsigned burst, uint64_t *page, bool *more)
{
    struct slot *slot = &all.slot[index];
    unsigned sent = 0;

    for (*more = true; slot->warp < all.warps_per_block; slot->warp++, slot->fault = 0) {
        uint64_t faults[FAULTS_OF_STEP];
        const uint32_t step = all.step[(size_t)index * all.warps_per_block + slot->warp];
        const uint64_t warp = slot->block * all.warps_per_block + slot->warp;
        const unsigned count = step == ENDED ? 0 : faults_from(warp, step, slot->ahead, faults);
        for (; slot->fault < count; slot->fault++) {
            if (all.resident == 1 && faults[slot->fault] == all.merged)
                continue; /* if only one block is resident, its multiprocessor merges a page's faults */
            if (sent == burst)
                return sent;
            *more = send(index % all.launch->multiprocessors % MULTIPROCESSORS, faults[slot->fault]);
            if (!*more)
                return sent;
            page[sent++] = all.merged = faults[slot->fault];
        }
    }
    *more = false;
    return sent;
}

/* How many faults a block's warps send one after the other; at most LONGEST_BURST. */
static unsigned burst_of(enum uvm_round round, uint32_t number, unsigned slot)
{
    if (round == UVM_ROUND_UPGRADES)
        return all.loops ? 1 : 2;
    if (!all.loops)
        return 4;
    if (round == UVM_ROUND_FULL)
        return 8;
    return all.writes ? 1 + scramble(slot, number) %
                                (LONGEST_WRITING_BURST - 2 * warps_held() / WARPS_PER_MULTIPROCESSOR)
                      : 4;
}

unsigned uvm_warps_fault(enum uvm_round round, uint32_t number, uint64_t page[UVM_FAULTS_UNDER_WAY])
{
    unsigned waiting = order_slots(round, number), faults = 0;

    memset(all.sent, 0, sizeof all.sent);
    memset(all.pair_sent, 0, sizeof all.pair_sent);
    memset(all.last, 0xff, sizeof all.last);
    all.merged = NO_PAGE;
    while (waiting > 0 && faults + LONGEST_BURST <= UVM_FAULTS_UNDER_WAY) {
        unsigned left = 0;
        for (unsigned i = 0; i < waiting && faults + LONGEST_BURST <= UVM_FAULTS_UNDER_WAY; i++) {
            const unsigned burst = burst_of(round, number, all.order[i]);
            bool more;
            faults += send_burst(all.order[i], burst, &page[faults], &more);
            if (more)
                all.order[left++] = all.order[i];
        }
        waiting = left;
    }
    return faults;
}
