/**
 * @file model.c
 * @brief The second implementation of the paging policy, for tests/unit/uvm_random.c.
 */
#include "model.h"

#include <string.h>

struct model model;

void model_start(int sides, bool linked)
{
    memset(&model, 0, sizeof model);
    model.sides = sides;
    model.linked = linked;
    for (int p = 0; p < PAGES; p++)
        model.pages[p].preferred = NONE;
    for (int gpu = 1; gpu < sides; gpu++)
        model.chunk_limit[gpu] = BLOCKS;
}

void model_end_page(int p)
{
    struct page gone = {.preferred = NONE};

    memcpy(gone.open_read, model.pages[p].open_read, sizeof gone.open_read);
    memcpy(gone.open_write, model.pages[p].open_write, sizeof gone.open_write);
    model.pages[p] = gone;
}

/* ---- policy regions ---- */

static bool starts_region(int p)
{
    return p % BLOCK_PAGES == 0 || !model.pages[p - 1].live || model.pages[p].first || model.pages[p].split;
}

static void region_of(int p, int *from, int *to)
{
    for (*from = p; !starts_region(*from);)
        --*from;
    for (*to = p + 1; *to % BLOCK_PAGES != 0 && model.pages[*to].live && !starts_region(*to);)
        ++*to;
}

/* ---- mappings ---- */

static void lose(int p, int side)
{
    model.pages[p].read[side] = model.pages[p].write[side] = false;
}

static void map_page(int p, int side, bool writable, bool was_at_residency)
{
    struct page *page = &model.pages[p];
    bool changed = writable ? !page->write[side] : !page->read[side];

    if (!page->read[side] && !page->at[side]) {
        model.expected.pages_mapped_remotely[side]++;
        model.expected.pages_mapped_at_peers[side] += model_closest_holder(p, side) > 0;
    }
    model.expected.pages_mapped[side] += changed && was_at_residency;
    page->read[side] = true;
    page->write[side] |= writable;
}

/* The page has come to `to`, by `cause_of`'s doing: others that AccessedBy names map it there. */
static void map_if_accessed_by(int p, int to, int cause_of)
{
    struct page *page = &model.pages[p];

    for (int gpu = 1; gpu < model.sides; gpu++)
        if (gpu != cause_of && page->by[gpu] && !page->mostly && model_reaches(gpu, to) &&
            (gpu == to || page->preferred != gpu))
            map_page(p, gpu, true, false);
}

/* ---- chunks ---- */

static int chunk_position(int gpu, int block)
{
    for (int i = 0; i < model.chunks_in_use[gpu]; i++)
        if (model.order[gpu][i] == block)
            return i;
    return -1;
}

static void drop_chunk(int gpu, int block)
{
    int position = chunk_position(gpu, block);
    if (position < 0)
        return;
    for (int i = position; i + 1 < model.chunks_in_use[gpu]; i++)
        model.order[gpu][i] = model.order[gpu][i + 1];
    model.chunks_in_use[gpu]--;
}

void model_drop_if_empty(int block)
{
    for (int gpu = 1; gpu < model.sides; gpu++) {
        bool any = false;
        for (int p = block * BLOCK_PAGES; p < (block + 1) * BLOCK_PAGES; p++)
            any |= model.pages[p].at[gpu];
        if (!any)
            drop_chunk(gpu, block);
    }
}

static void bring(int p, int to, bool duplicate, enum uvm_cause cause);

void model_evict_one(int gpu)
{
    int block = model.order[gpu][0];

    model.expected.evictions++;
    for (int p = block * BLOCK_PAGES; p < (block + 1) * BLOCK_PAGES; p++) {
        if (!model.pages[p].at[gpu])
            continue;
        bring(p, 0, false, UVM_CAUSE_EVICTION);
        map_if_accessed_by(p, 0, NONE);
    }
    model_drop_if_empty(block);
}

static void need_chunk(int gpu, int block)
{
    if (chunk_position(gpu, block) >= 0)
        return;
    while (model.chunks_in_use[gpu] >= model.chunk_limit[gpu])
        model_evict_one(gpu);
    model.order[gpu][model.chunks_in_use[gpu]++] = block;
}

static void used_chunk(int gpu, int block)
{
    if (chunk_position(gpu, block) >= 0) {
        drop_chunk(gpu, block);
        model.order[gpu][model.chunks_in_use[gpu]++] = block;
    }
}

/* ---- pages move ---- */

static void count_bytes(int from, int to, enum uvm_cause cause)
{
    model.expected.bytes[to == 0 ? UVM_DTOH : from == 0 ? UVM_HTOD : UVM_DTOD][cause] += PAGE_BYTES;
}

/* The bytes of a page go from one side to another. @return whether by the host's memory */
static bool copy_page(int from, int to, enum uvm_cause cause)
{
    bool by_host = to != 0 && !model_reaches(to, from);

    if (by_host) {
        count_bytes(from, 0, cause);
        from = 0;
    }
    count_bytes(from, to, cause);
    return by_host;
}

static void duplicate_page(int p, int to, int from, bool by_host)
{
    struct page *page = &model.pages[p];

    if (model_holders(p) == 1) /* the one copy's holder keeps reading, and nobody else */
        for (int side = 0; side < model.sides; side++) {
            page->write[side] = false;
            if (!page->at[side])
                lose(p, side);
        }
    model.expected.pages_duplicated += !page->at[to] && from != NONE;
    model.expected.pages_duplicated += by_host; /* it stays there, too */
    page->at[0] |= by_host;
}

static void move_page(int p, int to, int from)
{
    struct page *page = &model.pages[p];
    bool comes = !page->at[to], is_duplicated = model_holders(p) > 1;

    for (int side = 0; side < model.sides; side++) {
        if (comes || (is_duplicated && side != to))
            lose(p, side);
        if (side == to || !page->at[side])
            continue;
        model.expected.pages_invalidated += !(comes && side == from);
        page->at[side] = false;
    }
}

/* One page comes to `to`; alone, or as a duplicate. */
static void bring(int p, int to, bool duplicate, enum uvm_cause cause)
{
    struct page *page = &model.pages[p];
    int from = model_closest_holder(p, to);
    bool by_host = false;

    if (!page->at[to]) {
        if (to > 0)
            need_chunk(to, p / BLOCK_PAGES);
        if (from == NONE)
            model.expected.pages_populated[to]++;
        else
            by_host = copy_page(from, to, cause);
    }
    if (duplicate)
        duplicate_page(p, to, from, by_host);
    else
        move_page(p, to, from);
    page->at[to] = true;
}

/* ---- faults ---- */

static int goes_to(int p, int side)
{
    const struct page *page = &model.pages[p];
    int holder = model_closest_holder(p, side);
    bool preferred_is_near = page->preferred != NONE && model_reaches(side, page->preferred);

    if (page->mostly || page->preferred == side)
        return side;
    if (holder == NONE)
        return preferred_is_near ? page->preferred : side;
    if (holder == side)
        return side;
    if (page->by[side] && model_reaches(side, holder))
        return holder;
    return preferred_is_near ? page->preferred : side;
}

/* Marks in `want` what the prefetcher adds to the faults that go to `to`. */
static void tree(int from, int to_page, int to, const bool *fault, bool *want)
{
    bool there[PAGES] = {false}, touched = false;
    int big_first = (from + BIG_PAGES - 1) / BIG_PAGES * BIG_PAGES, big_end = to_page / BIG_PAGES * BIG_PAGES;

    for (int p = from; p < to_page; p++) {
        there[p] = fault[p] || model.pages[p].at[to];
        touched |= model_holders(p) > 0;
    }
    if (!touched && model.pages[from].preferred == to) {
        for (int p = from; p < to_page; p++)
            want[p] = !fault[p];
        return;
    }
    for (int p = from; p < to_page; p++) {
        if (!fault[p])
            continue;
        int lo = from, hi = to_page;
        if (big_first < big_end) {
            lo = p < big_first ? from : p >= big_end ? big_end : p / BIG_PAGES * BIG_PAGES;
            hi = p < big_first ? big_first : p >= big_end ? to_page : (p / BIG_PAGES + 1) * BIG_PAGES;
        }
        for (int q = lo; q < hi; q++)
            there[q] = true;
    }
    int origin = big_first < big_end ? from / BIG_PAGES * BIG_PAGES : from;
    for (int p = from; p < to_page; p++) {
        int best_lo = p, best_hi = p + 1;
        if (!fault[p])
            continue;
        for (int size = 1; size <= BLOCK_PAGES; size *= 2) {
            int lo = origin + (p - origin) / size * size, hi = lo + size < to_page ? lo + size : to_page,
                count = 0;
            for (int q = lo; q < hi; q++)
                count += q >= from && there[q];
            if (count * 100 > (hi - lo) * 51) {
                best_lo = lo;
                best_hi = hi;
            }
        }
        for (int q = best_lo; q < best_hi; q++)
            if (q >= from && !fault[q] &&
                !(to == UVM_CPU && model.pages[q].at[UVM_CPU] && model.pages[q].read[UVM_CPU]))
                want[q] = true;
    }
}

/* The faults of one policy region, by one side. */
static void service(int from, int to_page, int side, const bool *fault, const bool *write)
{
    static bool group[SIDES][PAGES];
    bool any[SIDES] = {false}, want[PAGES];
    int ways = 0;

    memset(group, 0, sizeof group);
    for (int p = from; p < to_page; p++)
        if (fault[p])
            any[goes_to(p, side)] = group[goes_to(p, side)][p] = true;
    for (int to = 0; to < model.sides; to++)
        ways += any[to];
    for (int to = 0; to < model.sides; to++) {
        bool was[PAGES];
        if (!any[to])
            continue;
        memset(want, 0, sizeof want);
        if (ways == 1)
            tree(from, to_page, to, group[to], want);
        for (int p = from; p < to_page; p++)
            was[p] = model.pages[p].at[to];
        for (int pass = 0; pass < 2; pass++) /* duplicates first */
            for (int p = from; p < to_page; p++)
                if (group[to][p] || want[p]) {
                    bool duplicate = model.pages[p].mostly && !(group[to][p] && write[p]);
                    if (duplicate == (pass == 0))
                        bring(p, to, duplicate, want[p] ? UVM_CAUSE_PREFETCH : UVM_CAUSE_COHERENCE);
                }
        model_drop_if_empty(from / BLOCK_PAGES);
        if (to > 0)
            used_chunk(to, from / BLOCK_PAGES);
        for (int p = from; p < to_page; p++)
            if (group[to][p] || want[p]) {
                bool writable = !model.pages[p].mostly || (group[to][p] && write[p]);
                map_page(p, side, writable, was[p]);
                map_if_accessed_by(p, to, side);
            }
    }
}

void model_cpu_fault(int p, bool is_write)
{
    bool fault[PAGES] = {false}, write[PAGES] = {false};
    int from, to;

    if (is_write ? model.pages[p].write[0] : model.pages[p].read[0])
        return;
    model.expected.cpu_faults++;
    fault[p] = true;
    write[p] = is_write;
    region_of(p, &from, &to);
    service(from, to, 0, fault, write);
}

/* One allocation at a time, so the batches are simply the next BATCH pages that fault. */
void model_kernel(int gpu, int start, int end, const bool *touch, const bool *write)
{
    for (int p = start; p < end;) {
        int count = 0, list[BATCH];
        for (; p < end && count < BATCH; p++)
            if (touch[p] && !(write[p] ? model.pages[p].write[gpu] : model.pages[p].read[gpu]))
                list[count++] = p;
        model.expected.gpu_fault_batches += count > 0;
        model.expected.gpu_fault_groups += count > 0; /* each page is asked for once */
        for (int i = 0; i < count;) {
            bool fault[PAGES] = {false};
            int from, to;
            region_of(list[i], &from, &to);
            for (; i < count && list[i] < to; i++)
                fault[list[i]] = true;
            model.expected.gpu_fault_services++;
            service(from, to, gpu, fault, write);
        }
    }
}

void model_prefetch(int start, int end, int to)
{
    while (start < end) {
        const int outer = (start / BLOCK_PAGES + 1) * BLOCK_PAGES, next = outer < end ? outer : end;
        bool was[PAGES];
        for (int p = start; p < next; p++)
            was[p] = model.pages[p].at[to];
        for (int pass = 0; pass < 2; pass++)
            for (int p = start; p < next; p++)
                if (model.pages[p].mostly == (pass == 0))
                    bring(p, to, model.pages[p].mostly, UVM_CAUSE_USER);
        model_drop_if_empty(start / BLOCK_PAGES);
        if (to > 0)
            used_chunk(to, start / BLOCK_PAGES);
        for (int p = start; p < next; p++) {
            if (!model.pages[p].read[to])
                map_page(p, to, model_holders(p) == 1, was[p]);
            map_if_accessed_by(p, to, to);
        }
        start = next;
    }
}

/* ---- advice ---- */

static bool advice_changes(int p, enum uvm_advice advice, int side)
{
    switch (advice) {
    case UVM_SET_READ_MOSTLY:
        return !model.pages[p].mostly;
    case UVM_UNSET_READ_MOSTLY:
        return model.pages[p].mostly;
    case UVM_SET_PREFERRED_LOCATION:
        return model.pages[p].preferred != side;
    case UVM_UNSET_PREFERRED_LOCATION:
        return model.pages[p].preferred != NONE;
    case UVM_SET_ACCESSED_BY:
        return !model.pages[p].by[side];
    default:
        return model.pages[p].by[side];
    }
}

/* Advised by the user, AccessedBy maps even what prefers to be elsewhere. */
static void map_by_advice(int p, int gpu)
{
    const struct page *page = &model.pages[p];

    if (page->by[gpu] && !page->mostly && !page->read[gpu] && model_holders(p) == 1 &&
        model_reaches(gpu, model_closest_holder(p, gpu)))
        map_page(p, gpu, true, false);
}

/* Making a duplicate of what is there, or keeping it, counts as filling. */
static void set_mostly(int p)
{
    int from = model_closest_holder(p, 0);

    for (int gpu = 1; gpu < model.sides; gpu++)
        if (model.pages[p].at[gpu])
            used_chunk(gpu, p / BLOCK_PAGES);
    if (from != NONE)
        duplicate_page(p, from, from, false);
    model.pages[p].mostly = true;
}

static void unset_mostly(int p)
{
    struct page *page = &model.pages[p];
    int kept_by = page->preferred;

    page->mostly = false;
    if (model_holders(p) > 1) {
        if (kept_by == NONE || !page->at[kept_by])
            for (kept_by = 0; !page->at[kept_by];)
                kept_by++;
        move_page(p, kept_by, NONE);
        if (kept_by > 0)
            used_chunk(kept_by, p / BLOCK_PAGES);
    }
    for (int gpu = 1; gpu < model.sides; gpu++)
        map_by_advice(p, gpu);
}

static void advise_page(int p, enum uvm_advice advice, int side)
{
    struct page *page = &model.pages[p];

    switch (advice) {
    case UVM_SET_READ_MOSTLY:
        set_mostly(p);
        break;
    case UVM_UNSET_READ_MOSTLY:
        unset_mostly(p);
        break;
    case UVM_SET_PREFERRED_LOCATION:
        page->preferred = side;
        if (!page->at[side])
            lose(p, side);
        break;
    case UVM_UNSET_PREFERRED_LOCATION:
        page->preferred = NONE;
        break;
    case UVM_SET_ACCESSED_BY:
        page->by[side] = true;
        if (side > 0)
            map_by_advice(p, side);
        break;
    case UVM_UNSET_ACCESSED_BY:
        page->by[side] = false;
        break;
    }
}

void model_advise(int start, int end, enum uvm_advice advice, int side)
{
    if (!model.pages[start].first && advice_changes(start, advice, side))
        model.pages[start].split = true;
    if (end < PAGES && model.pages[end].live && !model.pages[end].first &&
        advice_changes(end - 1, advice, side))
        model.pages[end].split = true;
    for (int p = start; p < end; p++)
        advise_page(p, advice, side);
    for (int block = 0; block < BLOCKS; block++)
        model_drop_if_empty(block);
}
