/*
 * uvm_random.c: long random walks through all operations, against a second implementation.
 *
 * The second one is written to be read, not to be fast: arrays of pages and loops over them, straight from
 * the rules. After each step every page's residency and grants have to agree, and so have the counts; and
 * what a mechanism would have open in the page tables must never exceed what is granted.
 */
#include "uvm_fixture.h"

#define BLOCKS 6
#define PAGES (BLOCKS * 512)
#define BATCH 40

struct page {
    bool live, first, split; /* first: of a range; split: a policy region starts here */
    bool at[2], read[2], write[2], mostly, preferred[2], by[2];
    bool open_read[2], open_write[2]; /* the page tables of a pretended mechanism */
};

static struct page pages[PAGES];
static int order[BLOCKS], chunks_in_use, chunk_limit; /* blocks with a chunk, oldest first */
static struct uvm_delta expected;

static unsigned long long state;
static unsigned random_below(unsigned n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % n);
}

/* ---- the second implementation ---- */

static bool starts_region(int p)
{
    return p % 512 == 0 || !pages[p - 1].live || pages[p].first || pages[p].split;
}

static void region_of(int p, int *from, int *to)
{
    for (*from = p; !starts_region(*from);)
        --*from;
    for (*to = p + 1; *to % 512 != 0 && pages[*to].live && !starts_region(*to);)
        ++*to;
}

static void lose(int p, int processor)
{
    pages[p].read[processor] = pages[p].write[processor] = false;
}

static int chunk_position(int block)
{
    for (int i = 0; i < chunks_in_use; i++)
        if (order[i] == block)
            return i;
    return -1;
}

static void drop_chunk(int block)
{
    int position = chunk_position(block);
    if (position < 0)
        return;
    for (int i = position; i + 1 < chunks_in_use; i++)
        order[i] = order[i + 1];
    chunks_in_use--;
}

static void drop_if_empty(int block)
{
    for (int p = block * 512; p < block * 512 + 512; p++)
        if (pages[p].at[UVM_GPU])
            return;
    drop_chunk(block);
}

static void map_if_accessed_by(int p)
{
    struct page *page = &pages[p];
    if (page->by[UVM_GPU] && !page->mostly && !page->preferred[UVM_GPU] && page->at[UVM_CPU] &&
        !page->at[UVM_GPU]) {
        expected.pages_mapped_remotely[UVM_GPU] += !page->read[UVM_GPU];
        page->read[UVM_GPU] = page->write[UVM_GPU] = true;
    }
}

static void evict_one(void)
{
    int block = order[0];
    expected.evictions++;
    for (int p = block * 512; p < block * 512 + 512; p++) {
        if (!pages[p].at[UVM_GPU])
            continue;
        lose(p, UVM_GPU);
        if (pages[p].at[UVM_CPU]) {
            expected.pages_invalidated++;
        } else {
            lose(p, UVM_CPU);
            expected.bytes[UVM_DTOH][UVM_CAUSE_EVICTION] += 4096;
        }
        pages[p].at[UVM_GPU] = false;
        pages[p].at[UVM_CPU] = true;
        map_if_accessed_by(p);
    }
    drop_chunk(block);
}

static void need_chunk(int block)
{
    if (chunk_position(block) >= 0)
        return;
    while (chunks_in_use >= chunk_limit)
        evict_one();
    order[chunks_in_use++] = block;
}

static void used_chunk(int block)
{
    if (chunk_position(block) >= 0) {
        drop_chunk(block);
        order[chunks_in_use++] = block;
    }
}

/* One page comes to `to`; alone, or as a duplicate. */
static void bring(int p, int to, bool duplicate, enum uvm_cause cause)
{
    struct page *page = &pages[p];
    int other = !to;
    bool was_here = page->at[to], was_there = page->at[other];

    if (!was_here) {
        if (to == UVM_GPU)
            need_chunk(p / 512);
        if (was_there)
            expected.bytes[to == UVM_GPU ? UVM_HTOD : UVM_DTOH][cause] += 4096;
        else
            expected.pages_populated[to]++;
    }
    if (duplicate) {
        if (was_here != was_there) { /* the one copy's holder keeps reading */
            int holder = was_here ? to : other;
            page->write[holder] = false;
            lose(p, !holder);
        }
        expected.pages_duplicated += !was_here && was_there;
    } else {
        if (!was_here)
            lose(p, to);
        if (!was_here || was_there)
            lose(p, other);
        expected.pages_invalidated += was_here && was_there;
        page->at[other] = false;
    }
    page->at[to] = true;
}

static int goes_to(int p, int processor)
{
    const struct page *page = &pages[p];
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
        there[p] = fault[p] || pages[p].at[to];
        touched |= pages[p].at[0] || pages[p].at[1];
    }
    if (!touched && pages[from].preferred[to]) {
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
            if (q >= from && !fault[q] && !(to == UVM_CPU && pages[q].at[UVM_CPU] && pages[q].read[UVM_CPU]))
                want[q] = true;
    }
}

static void map_page(int p, int processor, bool writable, bool was_at_residency)
{
    struct page *page = &pages[p];
    bool news = writable ? !page->write[processor] : !page->read[processor];
    expected.pages_mapped_remotely[processor] += !page->read[processor] && !page->at[processor];
    expected.pages_mapped[processor] += news && was_at_residency;
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
            was[p] = pages[p].at[to];
        for (int pass = 0; pass < 2; pass++) /* duplicates first */
            for (int p = from; p < to_page; p++)
                if (group[to][p] || want[p]) {
                    bool duplicate = pages[p].mostly && !(group[to][p] && write[p]);
                    if (duplicate == (pass == 0))
                        bring(p, to, duplicate, want[p] ? UVM_CAUSE_PREFETCH : UVM_CAUSE_COHERENCE);
                }
        if (to == UVM_GPU)
            used_chunk(from / 512);
        else
            drop_if_empty(from / 512);
        for (int p = from; p < to_page; p++)
            if (group[to][p] || want[p]) {
                bool writable = !pages[p].mostly || (group[to][p] && write[p]);
                map_page(p, processor, writable, was[p]);
                if (to == UVM_CPU && processor == UVM_CPU)
                    map_if_accessed_by(p);
            }
    }
}

static void model_cpu_fault(int p, bool is_write)
{
    bool fault[PAGES] = {false}, write[PAGES] = {false};
    int from, to;

    if (is_write ? pages[p].write[UVM_CPU] : pages[p].read[UVM_CPU])
        return;
    expected.cpu_faults++;
    fault[p] = true;
    write[p] = is_write;
    region_of(p, &from, &to);
    service(from, to, UVM_CPU, fault, write);
}

/* One allocation at a time, so the batches are simply the next BATCH pages that fault. */
static void model_kernel(int start, int end, const bool *touch, const bool *write)
{
    for (int p = start; p < end;) {
        int count = 0, list[BATCH];
        for (; p < end && count < BATCH; p++)
            if (touch[p] && !(write[p] ? pages[p].write[UVM_GPU] : pages[p].read[UVM_GPU]))
                list[count++] = p;
        expected.gpu_fault_batches += count > 0;
        expected.gpu_fault_groups += count > 0; /* each page is asked for once */
        for (int i = 0; i < count;) {
            bool fault[PAGES] = {false};
            int from, to;
            region_of(list[i], &from, &to);
            for (; i < count && list[i] < to; i++)
                fault[list[i]] = true;
            expected.gpu_fault_services++;
            service(from, to, UVM_GPU, fault, write);
        }
    }
}

static void model_prefetch(int start, int end, int to)
{
    while (start < end) {
        int next = start / 512 * 512 + 512 < end ? start / 512 * 512 + 512 : end;
        bool was[PAGES];
        for (int p = start; p < next; p++)
            was[p] = pages[p].at[to];
        for (int pass = 0; pass < 2; pass++)
            for (int p = start; p < next; p++)
                if (pages[p].mostly == (pass == 0))
                    bring(p, to, pages[p].mostly, UVM_CAUSE_USER);
        if (to == UVM_GPU)
            used_chunk(start / 512);
        else
            drop_if_empty(start / 512);
        for (int p = start; p < next; p++) {
            if (!pages[p].read[to])
                map_page(p, to, !pages[p].at[!to], was[p]);
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
        return !pages[p].mostly;
    case UVM_UNSET_READ_MOSTLY:
        return pages[p].mostly;
    case UVM_SET_PREFERRED_LOCATION:
        return !pages[p].preferred[processor];
    case UVM_UNSET_PREFERRED_LOCATION:
        return pages[p].preferred[0] || pages[p].preferred[1];
    case UVM_SET_ACCESSED_BY:
        return !pages[p].by[processor];
    default:
        return pages[p].by[processor];
    }
}

static void model_advise_page(int p, enum uvm_advice advice, int processor)
{
    struct page *page = &pages[p];
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
            int keeper = page->preferred[UVM_GPU] ? UVM_GPU : UVM_CPU;
            page->at[!keeper] = false;
            lose(p, !keeper);
            expected.pages_invalidated++;
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

static void model_advise(int start, int end, enum uvm_advice advice, int processor)
{
    if (!pages[start].first && advice_changes(start, advice, processor))
        pages[start].split = true;
    if (end < PAGES && pages[end].live && !pages[end].first && advice_changes(end - 1, advice, processor))
        pages[end].split = true;
    for (int p = start; p < end;
         p++) { /* making a duplicate of what is there, or keeping it, counts as filling */
        bool keep = pages[p].at[UVM_CPU] && pages[p].preferred[UVM_GPU] && advice == UVM_UNSET_READ_MOSTLY;
        if (pages[p].at[UVM_GPU] && (keep || advice == UVM_SET_READ_MOSTLY))
            used_chunk(p / 512);
        model_advise_page(p, advice, processor);
    }
    for (int block = 0; block < BLOCKS; block++)
        drop_if_empty(block);
}

/* ---- the comparison ---- */

static void check_page(int p, const char *step)
{
    const struct uvm_block *block = &space->block[p / 512];
    const struct page *page = &pages[p];

    for (int processor = 0; processor < 2; processor++) {
        uintptr_t address = BASE + (uintptr_t)p * 4096;
        bool at = block->resident[processor].word[p % 512 / 64] >> p % 64 & 1;
        bool reads = uvm_granted(space, (enum uvm_processor)processor, address, false);
        bool writes = uvm_granted(space, (enum uvm_processor)processor, address, true);
        if (at != page->at[processor] || reads != page->read[processor] || writes != page->write[processor])
            UM_FAIL("%s: page %d, processor %d: resident %d read %d write %d, expected %d %d %d", step, p,
                    processor, at, reads, writes, page->at[processor], page->read[processor],
                    page->write[processor]);
        if ((page->open_read[processor] && !reads) || (page->open_write[processor] && !writes))
            UM_FAIL("%s: page %d is open to processor %d, and its block was not revoked", step, p, processor);
        CU_ASSERT(!writes || reads);
        CU_ASSERT(!reads || page->live);
        CU_ASSERT(!reads || at || (processor == UVM_GPU && page->at[UVM_CPU]));
    }
    CU_ASSERT(!(page->at[0] && page->at[1]) || !(page->write[0] || page->write[1]));
}

/* The pretended mechanism narrows what was revoked to what is granted. */
static void narrow_revoked(void)
{
    for (int processor = 0; processor < 2; processor++) {
        size_t block;
        while (uvm_revoked_next(space, (enum uvm_processor)processor, &block))
            for (unsigned p = 0; p < 512; p++) {
                struct page *page = &pages[block * 512 + p];
                page->open_read[processor] &=
                    uvm_grants(space, (enum uvm_processor)processor, block, false)->word[p / 64] >> p % 64 &
                    1;
                page->open_write[processor] &=
                    uvm_grants(space, (enum uvm_processor)processor, block, true)->word[p / 64] >> p % 64 & 1;
            }
    }
}

static void check(const struct uvm_delta *got, const char *step)
{
    unsigned failures = CU_get_number_of_failures();

    narrow_revoked();
    for (int p = 0; p < PAGES; p++)
        check_page(p, step);
    if (CU_get_number_of_failures() > failures)
        CU_FAIL_FATAL("the two implementations have parted");
    for (int direction = 0; direction < UVM_DIRECTIONS; direction++)
        for (int cause = 0; cause < UVM_CAUSES; cause++) {
            UM_EQUAL(got->bytes[direction][cause], expected.bytes[direction][cause]);
            CU_ASSERT(got->transfers[direction][cause] * 4096 <= got->bytes[direction][cause]);
        }
    UM_EQUAL(got->cpu_faults, expected.cpu_faults);
    UM_EQUAL(got->gpu_fault_groups, expected.gpu_fault_groups);
    UM_EQUAL(got->gpu_fault_batches, expected.gpu_fault_batches);
    UM_EQUAL(got->gpu_fault_services, expected.gpu_fault_services);
    UM_EQUAL(got->pages_duplicated, expected.pages_duplicated);
    UM_EQUAL(got->pages_invalidated, expected.pages_invalidated);
    UM_EQUAL(got->evictions, expected.evictions);
    for (int processor = 0; processor < 2; processor++) {
        UM_EQUAL(got->pages_populated[processor], expected.pages_populated[processor]);
        UM_EQUAL(got->pages_mapped[processor], expected.pages_mapped[processor]);
        UM_EQUAL(got->pages_mapped_remotely[processor], expected.pages_mapped_remotely[processor]);
    }
    UM_EQUAL(device.chunks_used, chunks_in_use);
    const struct uvm_block *chunk = device.oldest;
    for (int i = 0; i < chunks_in_use; i++, chunk = chunk->newer) {
        CU_ASSERT_FATAL(chunk != NULL);
        if (chunk - space->block != order[i])
            UM_FAIL("%s: chunk %d of the used list is block %d's, expected %d's", step, i,
                    (int)(chunk - space->block), order[i]);
    }
    CU_ASSERT(chunks_in_use <= chunk_limit);
    if (CU_get_number_of_failures() != failures)
        CU_FAIL_FATAL("the two implementations have parted");
}

/* ---- random steps ---- */

static int live_page(void)
{
    for (int tries = 0; tries < 100; tries++) {
        int p = (int)random_below(PAGES);
        if (pages[p].live)
            return p;
    }
    return -1;
}

/* A stretch of one range around a random page. */
static bool live_stretch(int *start, int *end)
{
    int p = live_page();
    if (p < 0)
        return false;
    for (*start = p; !pages[*start].first && random_below(200) != 0;)
        --*start;
    for (*end = p + 1; *end < PAGES && pages[*end].live && !pages[*end].first && random_below(400) != 0;)
        ++*end;
    return true;
}

static uintptr_t address_of(int p)
{
    return BASE + (uintptr_t)p * 4096;
}

static void create_or_destroy(void)
{
    int p = (int)random_below(PAGES);
    if (pages[p].live) {
        int end = p + 1;
        while (!pages[p].first)
            p--;
        while (end < PAGES && pages[end].live && !pages[end].first)
            end++;
        CU_ASSERT_EQUAL(uvm_range_destroy(space, address_of(p), (size_t)(end - p) * 4096), UVM_OK);
        for (; p < end; p++) { /* the mechanism's protections go with the next narrowing */
            struct page gone = {0};
            memcpy(gone.open_read, pages[p].open_read, 2);
            memcpy(gone.open_write, pages[p].open_write, 2);
            pages[p] = gone;
        }
        for (int block = 0; block < BLOCKS; block++)
            drop_if_empty(block);
        return;
    }
    int end = p + 1, length = random_below(3) ? 1400 : 12;
    while (end < PAGES && !pages[end].live && end - p < length && random_below(1000) != 0)
        end++;
    CU_ASSERT_EQUAL(uvm_range_create(space, address_of(p), (size_t)(end - p) * 4096 - random_below(4096)),
                    UVM_OK);
    pages[p].first = true;
    for (; p < end; p++)
        pages[p].live = true;
}

static void open_run(int processor, uintptr_t start, size_t bytes, bool is_write)
{
    for (size_t p = (start - BASE) / 4096; p < (start - BASE + bytes) / 4096; p++) {
        pages[p].open_read[processor] = true;
        pages[p].open_write[processor] |= is_write;
    }
}

static void host_touches(struct uvm_delta *got)
{
    int p = live_page(), stride = random_below(2) ? 1 : (int)random_below(40) + 1;
    bool is_write = random_below(2);

    for (int i = 0; i < 30 && p >= 0 && p < PAGES && pages[p].live; i++, p += stride) {
        uintptr_t start;
        size_t bytes;
        CU_ASSERT(uvm_cpu_fault(space, address_of(p) + random_below(4096), is_write, got) <=
                  UVM_ALREADY_GRANTED);
        model_cpu_fault(p, is_write);
        if (uvm_granted_run(space, UVM_CPU, address_of(p), is_write, &start, &bytes))
            open_run(UVM_CPU, start, bytes, is_write);
        else
            UM_FAIL("a host touch of page %d left it closed", p);
        narrow_revoked();
    }
}

/* Touches of a kernel within one range: by faults (whole units are marked), or page by page. */
static void kernel_touches(struct uvm_delta *got)
{
    bool touch[PAGES] = {false}, write[PAGES] = {false}, by_fault = random_below(2);
    int start, end, stride = random_below(2) ? 1 : (int)random_below(70) + 1;

    if (!live_stretch(&start, &end))
        return;
    for (int p = start; p < end; p += stride) {
        bool is_write = random_below(2);
        struct uvm_opening opening = {address_of(p), 4096, is_write, false};
        if (by_fault)
            uvm_gpu_touch(space, address_of(p), is_write, &opening);
        else if (uvm_gpu_touch_pages(space, address_of(p), 4096, is_write) == UVM_ALREADY_GRANTED)
            continue;
        open_run(UVM_GPU, opening.start, opening.bytes, opening.writable);
    }
    for (int p = 0; p < PAGES; p++) {
        touch[p] = uvm_gpu_touched(space, address_of(p));
        write[p] = space->block[p / 512].touched_write.word[p % 512 / 64] >> p % 64 & 1;
    }
    for (int p = start; p < end; p += stride)
        if (!by_fault && !pages[p].read[UVM_GPU])
            CU_ASSERT(touch[p]);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, NULL, got), UVM_OK);
    model_kernel(0, PAGES, touch, write);
}

static void engine_touches(struct uvm_delta *got)
{
    bool touch[PAGES] = {false}, write[PAGES] = {false}, is_write = random_below(2);
    int start, end;

    if (!live_stretch(&start, &end))
        return;
    for (int p = start; p < end; p++) {
        touch[p] = true;
        write[p] = is_write;
    }
    uvm_gpu_access(space, address_of(start), (size_t)(end - start) * 4096, is_write, NULL, got);
    model_kernel(start, end, touch, write);
}

static void one_step(struct uvm_delta *got, const char **name)
{
    static const char *const names[] = {"host",   "host",   "host",     "kernel", "kernel", "engine",
                                        "advise", "advise", "prefetch", "ranges", "memory"};
    unsigned step = random_below(11);
    int start, end, processor = (int)random_below(2);

    *name = names[step];
    if (step <= 2) {
        host_touches(got);
    } else if (step <= 4) {
        kernel_touches(got);
    } else if (step == 5) {
        engine_touches(got);
    } else if (step <= 7 && live_stretch(&start, &end)) {
        enum uvm_advice advice = (enum uvm_advice)random_below(6);
        uvm_advise(space, address_of(start), (size_t)(end - start) * 4096, advice,
                   (enum uvm_processor)processor, got);
        model_advise(start, end, advice, processor);
    } else if (step == 8 && live_stretch(&start, &end)) {
        uvm_prefetch(space, address_of(start), (size_t)(end - start) * 4096, (enum uvm_processor)processor,
                     got);
        model_prefetch(start, end, processor);
    } else if (step == 9) {
        create_or_destroy();
    } else if (step == 10) {
        chunk_limit = 2 + (int)random_below(BLOCKS - 1);
        uvm_set_device_memory(&device, (uint64_t)chunk_limit, got);
        while (chunks_in_use > chunk_limit)
            evict_one();
    }
}

static void random_walks(void)
{
    for (unsigned walk_number = 0; walk_number < 40; walk_number++) {
        struct uvm_delta got = {0};
        state = walk_number * 7919 + 1;
        memset(pages, 0, sizeof pages);
        memset(&expected, 0, sizeof expected);
        chunks_in_use = 0;
        chunk_limit = BLOCKS;
        fresh(BLOCKS);
        device.distinct_pages_per_batch = BATCH;
        for (unsigned i = 0; i < 300; i++) {
            char step[64];
            const char *name;
            one_step(&got, &name);
            snprintf(step, sizeof step, "walk %u step %u (%s)", walk_number, i, name);
            check(&got, step);
        }
    }
}

UM_TESTS("paging: random walks",
         {"12,000 random steps agree with the rules written out page by page", random_walks});
