/**
 * @file model.c
 * @brief The second implementation of the paging policy, for tests/unit/uvm_random.c.
 */
#include "model.h"

#include <string.h>

struct model model;

static bool starts_region(int p)
{
    return p % 512 == 0 || !model.pages[p - 1].live || model.pages[p].first || model.pages[p].split;
}

static void region_of(int p, int *from, int *to)
{
    for (*from = p; !starts_region(*from);)
        --*from;
    for (*to = p + 1; *to % 512 != 0 && model.pages[*to].live && !starts_region(*to);)
        ++*to;
}

static void lose(int p, int processor)
{
    model.pages[p].read[processor] = model.pages[p].write[processor] = false;
}

static int chunk_position(int block)
{
    for (int i = 0; i < model.chunks_in_use; i++)
        if (model.order[i] == block)
            return i;
    return -1;
}

static void drop_chunk(int block)
{
    int position = chunk_position(block);
    if (position < 0)
        return;
    for (int i = position; i + 1 < model.chunks_in_use; i++)
        model.order[i] = model.order[i + 1];
    model.chunks_in_use--;
}

void model_drop_if_empty(int block)
{
    for (int p = block * 512; p < block * 512 + 512; p++)
        if (model.pages[p].at[UVM_GPU])
            return;
    drop_chunk(block);
}

static void map_if_accessed_by(int p)
{
    struct page *page = &model.pages[p];
    if (page->by[UVM_GPU] && !page->mostly && !page->preferred[UVM_GPU] && page->at[UVM_CPU] &&
        !page->at[UVM_GPU]) {
        model.expected.pages_mapped_remotely[UVM_GPU] += !page->read[UVM_GPU];
        page->read[UVM_GPU] = page->write[UVM_GPU] = true;
    }
}

void model_evict_one(void)
{
    int block = model.order[0];
    model.expected.evictions++;
    for (int p = block * 512; p < block * 512 + 512; p++) {
        if (!model.pages[p].at[UVM_GPU])
            continue;
        lose(p, UVM_GPU);
        if (model.pages[p].at[UVM_CPU]) {
            model.expected.pages_invalidated++;
        } else {
            lose(p, UVM_CPU);
            model.expected.bytes[UVM_DTOH][UVM_CAUSE_EVICTION] += 4096;
        }
        model.pages[p].at[UVM_GPU] = false;
        model.pages[p].at[UVM_CPU] = true;
        map_if_accessed_by(p);
    }
    drop_chunk(block);
}

static void need_chunk(int block)
{
    if (chunk_position(block) >= 0)
        return;
    while (model.chunks_in_use >= model.chunk_limit)
        model_evict_one();
    model.order[model.chunks_in_use++] = block;
}

static void used_chunk(int block)
{
    if (chunk_position(block) >= 0) {
        drop_chunk(block);
        model.order[model.chunks_in_use++] = block;
    }
}

/* One page comes to `to`; alone, or as a duplicate. */
static void bring(int p, int to, bool duplicate, enum uvm_cause cause)
{
    struct page *page = &model.pages[p];
    int other = !to;
    bool was_here = page->at[to], was_there = page->at[other];

    if (!was_here) {
        if (to == UVM_GPU)
            need_chunk(p / 512);
        if (was_there)
            model.expected.bytes[to == UVM_GPU ? UVM_HTOD : UVM_DTOH][cause] += 4096;
        else
            model.expected.pages_populated[to]++;
    }
    if (duplicate) {
        if (was_here != was_there) { /* the one copy's holder keeps reading */
            int holder = was_here ? to : other;
            page->write[holder] = false;
            lose(p, !holder);
        }
        model.expected.pages_duplicated += !was_here && was_there;
    } else {
        if (!was_here)
            lose(p, to);
        if (!was_here || was_there)
            lose(p, other);
        model.expected.pages_invalidated += was_here && was_there;
        page->at[other] = false;
    }
    page->at[to] = true;
}

static int goes_to(int p, int processor)
{
    const struct page *page = &model.pages[p];
    if (page->mostly || processor == UVM_CPU || page->preferred[processor])
        return processor;
    if (!page->at[UVM_CPU] && !page->at[UVM_GPU])
        return page->preferred[UVM_CPU] ? UVM_CPU : UVM_GPU;
    if (page->at[UVM_GPU])
        return UVM_GPU;
    return page->by[UVM_GPU] || page->preferred[UVM_CPU] ? UVM_CPU : UVM_GPU;
}

/* Marks in `want` what the prefetcher adds to the faults that go to `to`. */
static void tree(int from, int to_page, int to, const bool *fault, bool *want)
{
    bool there[PAGES] = {false}, touched = false;
    int big_first = (from + 15) / 16 * 16, big_end = to_page / 16 * 16;

    for (int p = from; p < to_page; p++) {
        there[p] = fault[p] || model.pages[p].at[to];
        touched |= model.pages[p].at[0] || model.pages[p].at[1];
    }
    if (!touched && model.pages[from].preferred[to]) {
        for (int p = from; p < to_page; p++)
            want[p] = !fault[p];
        return;
    }
    for (int p = from; p < to_page; p++) {
        if (!fault[p])
            continue;
        int lo = from, hi = to_page;
        if (big_first < big_end) {
            lo = p < big_first ? from : p >= big_end ? big_end : p / 16 * 16;
            hi = p < big_first ? big_first : p >= big_end ? to_page : p / 16 * 16 + 16;
        }
        for (int q = lo; q < hi; q++)
            there[q] = true;
    }
    int origin = big_first < big_end ? from / 16 * 16 : from;
    for (int p = from; p < to_page; p++) {
        int best_lo = p, best_hi = p + 1;
        if (!fault[p])
            continue;
        for (int size = 1; size <= 512; size *= 2) {
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

static void map_page(int p, int processor, bool writable, bool was_at_residency)
{
    struct page *page = &model.pages[p];
    bool changed = writable ? !page->write[processor] : !page->read[processor];
    model.expected.pages_mapped_remotely[processor] += !page->read[processor] && !page->at[processor];
    model.expected.pages_mapped[processor] += changed && was_at_residency;
    page->read[processor] = true;
    page->write[processor] |= writable;
}

/* The faults of one policy region, by one processor. */
static void service(int from, int to_page, int processor, const bool *fault, const bool *write)
{
    bool group[2][PAGES] = {{false}}, any[2] = {false, false}, want[PAGES];

    for (int p = from; p < to_page; p++)
        if (fault[p])
            any[goes_to(p, processor)] = group[goes_to(p, processor)][p] = true;
    for (int to = 0; to < 2; to++) {
        bool was[PAGES];
        if (!any[to])
            continue;
        memset(want, 0, sizeof want);
        if (!any[!to])
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
        if (to == UVM_GPU)
            used_chunk(from / 512);
        else
            model_drop_if_empty(from / 512);
        for (int p = from; p < to_page; p++)
            if (group[to][p] || want[p]) {
                bool writable = !model.pages[p].mostly || (group[to][p] && write[p]);
                map_page(p, processor, writable, was[p]);
                if (to == UVM_CPU && processor == UVM_CPU)
                    map_if_accessed_by(p);
            }
    }
}

void model_cpu_fault(int p, bool is_write)
{
    bool fault[PAGES] = {false}, write[PAGES] = {false};
    int from, to;

    if (is_write ? model.pages[p].write[UVM_CPU] : model.pages[p].read[UVM_CPU])
        return;
    model.expected.cpu_faults++;
    fault[p] = true;
    write[p] = is_write;
    region_of(p, &from, &to);
    service(from, to, UVM_CPU, fault, write);
}

/* One allocation at a time, so the batches are simply the next BATCH pages that fault. */
void model_kernel(int start, int end, const bool *touch, const bool *write)
{
    for (int p = start; p < end;) {
        int count = 0, list[BATCH];
        for (; p < end && count < BATCH; p++)
            if (touch[p] && !(write[p] ? model.pages[p].write[UVM_GPU] : model.pages[p].read[UVM_GPU]))
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
            service(from, to, UVM_GPU, fault, write);
        }
    }
}

void model_prefetch(int start, int end, int to)
{
    while (start < end) {
        int next = start / 512 * 512 + 512 < end ? start / 512 * 512 + 512 : end;
        bool was[PAGES];
        for (int p = start; p < next; p++)
            was[p] = model.pages[p].at[to];
        for (int pass = 0; pass < 2; pass++)
            for (int p = start; p < next; p++)
                if (model.pages[p].mostly == (pass == 0))
                    bring(p, to, model.pages[p].mostly, UVM_CAUSE_USER);
        if (to == UVM_GPU)
            used_chunk(start / 512);
        else
            model_drop_if_empty(start / 512);
        for (int p = start; p < next; p++) {
            if (!model.pages[p].read[to])
                map_page(p, to, !model.pages[p].at[!to], was[p]);
            if (to == UVM_CPU)
                map_if_accessed_by(p);
        }
        start = next;
    }
}

static bool advice_changes(int p, enum uvm_advice advice, int processor)
{
    switch (advice) {
    case UVM_SET_READ_MOSTLY:
        return !model.pages[p].mostly;
    case UVM_UNSET_READ_MOSTLY:
        return model.pages[p].mostly;
    case UVM_SET_PREFERRED_LOCATION:
        return !model.pages[p].preferred[processor];
    case UVM_UNSET_PREFERRED_LOCATION:
        return model.pages[p].preferred[0] || model.pages[p].preferred[1];
    case UVM_SET_ACCESSED_BY:
        return !model.pages[p].by[processor];
    default:
        return model.pages[p].by[processor];
    }
}

void model_advise_page(int p, enum uvm_advice advice, int processor)
{
    struct page *page = &model.pages[p];
    bool both = page->at[0] && page->at[1];

    switch (advice) {
    case UVM_SET_READ_MOSTLY:
        page->mostly = true;
        for (int holder = 0; holder < 2; holder++)
            if (page->at[holder] && !both) {
                page->write[holder] = false;
                lose(p, !holder);
            }
        break;
    case UVM_UNSET_READ_MOSTLY:
        page->mostly = false;
        if (both) {
            int kept_by = page->preferred[UVM_GPU] ? UVM_GPU : UVM_CPU;
            page->at[!kept_by] = false;
            lose(p, !kept_by);
            model.expected.pages_invalidated++;
        }
        break;
    case UVM_SET_PREFERRED_LOCATION:
        page->preferred[processor] = true;
        page->preferred[!processor] = false;
        if (!page->at[processor])
            lose(p, processor);
        break;
    case UVM_UNSET_PREFERRED_LOCATION:
        page->preferred[0] = page->preferred[1] = false;
        break;
    case UVM_SET_ACCESSED_BY:
        page->by[processor] = true;
        break;
    case UVM_UNSET_ACCESSED_BY:
        page->by[processor] = false;
        break;
    }
    /* Set by the user, AccessedBy maps even what prefers to be elsewhere. */
    if ((advice == UVM_SET_ACCESSED_BY || advice == UVM_UNSET_READ_MOSTLY) && page->by[UVM_GPU] &&
        !page->mostly && page->at[UVM_CPU] && !page->at[UVM_GPU])
        map_page(p, UVM_GPU, true, false);
}

void model_advise(int start, int end, enum uvm_advice advice, int processor)
{
    if (!model.pages[start].first && advice_changes(start, advice, processor))
        model.pages[start].split = true;
    if (end < PAGES && model.pages[end].live && !model.pages[end].first &&
        advice_changes(end - 1, advice, processor))
        model.pages[end].split = true;
    for (int p = start; p < end;
         p++) { /* making a duplicate of what is there, or keeping it, counts as filling */
        bool keep = model.pages[p].at[UVM_CPU] && model.pages[p].preferred[UVM_GPU] &&
                    advice == UVM_UNSET_READ_MOSTLY;
        if (model.pages[p].at[UVM_GPU] && (keep || advice == UVM_SET_READ_MOSTLY))
            used_chunk(p / 512);
        model_advise_page(p, advice, processor);
    }
    for (int block = 0; block < BLOCKS; block++)
        model_drop_if_empty(block);
}
