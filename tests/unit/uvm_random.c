/**
 * @file uvm_random.c
 * @brief Long random walks through all operations, beside a second implementation (second/model.h).
 *
 * After each step every page's residency and grants have to agree, and so have the counts; and
 * what a mechanism would have open in the page tables must never exceed what is granted.
 */
#include "second/model.h"
#include "uvm_fixture.h"

static unsigned long long state;
static unsigned random_below(unsigned n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % n);
}

/* Lengths are chosen by bytes, so that pages of each size meet as many ends of ranges, blocks and 64 KiB. */
static unsigned pages_of(unsigned kib)
{
    return kib * 1024 / PAGE_BYTES;
}

/* ---- the comparison ---- */

static void check_page(int p, const char *step)
{
    const struct uvm_block *block = &space->block[p / BLOCK_PAGES];
    const struct page *page = &model.pages[p];
    int copies = 0, writers = 0;

    for (int processor = 0; processor < model.sides; processor++) {
        uintptr_t address = BASE + (uintptr_t)p * PAGE_BYTES;
        bool at = block->resident[processor].word[p % BLOCK_PAGES / 64] >> p % 64 & 1;
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
        CU_ASSERT(!reads || at || processor > 0); /* the host maps nobody's memory but its own */
        copies += page->at[processor];
        writers += page->write[processor];
    }
    CU_ASSERT(copies < 2 || writers == 0);
}

/* The pretended mechanism narrows what was revoked to what is granted. */
static void narrow_revoked(void)
{
    for (int processor = 0; processor < model.sides; processor++) {
        size_t block;
        while (uvm_revoked_next(space, (enum uvm_processor)processor, &block))
            for (unsigned p = 0; p < BLOCK_PAGES; p++) {
                struct page *page = &model.pages[block * BLOCK_PAGES + p];
                page->open_read[processor] &=
                    uvm_grants(space, (enum uvm_processor)processor, block, false)->word[p / 64] >> p % 64 &
                    1;
                page->open_write[processor] &=
                    uvm_grants(space, (enum uvm_processor)processor, block, true)->word[p / 64] >> p % 64 & 1;
            }
    }
}

static void check_chunks(int gpu, const char *step)
{
    const struct uvm_device *its = &machine.device[gpu - 1];
    const struct uvm_block *chunk = its->oldest;

    UM_EQUAL(its->chunks_used, model.chunks_in_use[gpu]);
    for (int i = 0; i < model.chunks_in_use[gpu]; i++, chunk = chunk->chunk[gpu - 1].newer) {
        CU_ASSERT_FATAL(chunk != NULL);
        if (chunk - space->block != model.order[gpu][i])
            UM_FAIL("%s: chunk %d of GPU %d's used list is block %d's, expected %d's", step, i, gpu - 1,
                    (int)(chunk - space->block), model.order[gpu][i]);
    }
    CU_ASSERT(model.chunks_in_use[gpu] <= model.chunk_limit[gpu]);
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
            UM_EQUAL(got->bytes[direction][cause], model.expected.bytes[direction][cause]);
            CU_ASSERT(got->transfers[direction][cause] * PAGE_BYTES <= got->bytes[direction][cause]);
        }
    UM_EQUAL(got->cpu_faults, model.expected.cpu_faults);
    UM_EQUAL(got->gpu_fault_groups, model.expected.gpu_fault_groups);
    UM_EQUAL(got->gpu_fault_batches, model.expected.gpu_fault_batches);
    UM_EQUAL(got->gpu_fault_services, model.expected.gpu_fault_services);
    UM_EQUAL(got->pages_duplicated, model.expected.pages_duplicated);
    UM_EQUAL(got->pages_invalidated, model.expected.pages_invalidated);
    UM_EQUAL(got->evictions, model.expected.evictions);
    for (int processor = 0; processor < model.sides; processor++) {
        UM_EQUAL(got->pages_populated[processor], model.expected.pages_populated[processor]);
        UM_EQUAL(got->pages_mapped[processor], model.expected.pages_mapped[processor]);
        UM_EQUAL(got->pages_mapped_remotely[processor], model.expected.pages_mapped_remotely[processor]);
        UM_EQUAL(got->pages_mapped_at_peers[processor], model.expected.pages_mapped_at_peers[processor]);
    }
    for (int gpu = 1; gpu < model.sides; gpu++)
        check_chunks(gpu, step);
    if (CU_get_number_of_failures() != failures)
        CU_FAIL_FATAL("the two implementations have parted");
}

/* ---- random steps ---- */

static int live_page(void)
{
    for (int tries = 0; tries < 100; tries++) {
        int p = (int)random_below(PAGES);
        if (model.pages[p].live)
            return p;
    }
    return -1;
}

/* A part of one range around a random page. */
static bool live_range(int *start, int *end)
{
    int p = live_page();
    if (p < 0)
        return false;
    for (*start = p; !model.pages[*start].first && random_below(pages_of(800)) != 0;)
        --*start;
    for (*end = p + 1; *end < PAGES && model.pages[*end].live && !model.pages[*end].first &&
                       random_below(pages_of(1600)) != 0;)
        ++*end;
    return true;
}

static uintptr_t address_of(int p)
{
    return BASE + (uintptr_t)p * PAGE_BYTES;
}

static void create_or_destroy(void)
{
    int p = (int)random_below(PAGES);
    if (model.pages[p].live) {
        int end = p + 1;
        while (!model.pages[p].first)
            p--;
        while (end < PAGES && model.pages[end].live && !model.pages[end].first)
            end++;
        CU_ASSERT_EQUAL(uvm_range_destroy(space, address_of(p), (size_t)(end - p) * PAGE_BYTES), UVM_OK);
        for (; p < end; p++) /* the mechanism's protections go with the next narrowing */
            model_end_page(p);
        for (int block = 0; block < BLOCKS; block++)
            model_drop_if_empty(block);
        return;
    }
    int end = p + 1, length = (int)pages_of(random_below(3) ? 5600 : 48);
    while (end < PAGES && !model.pages[end].live && end - p < length && random_below(pages_of(4000)) != 0)
        end++;
    CU_ASSERT_EQUAL(
        uvm_range_create(space, address_of(p), (size_t)(end - p) * PAGE_BYTES - random_below(PAGE_BYTES)),
        UVM_OK);
    model.pages[p].first = true;
    for (; p < end; p++)
        model.pages[p].live = true;
}

static void open_run(int processor, uintptr_t start, size_t bytes, bool is_write)
{
    for (size_t p = (start - BASE) / PAGE_BYTES; p < (start - BASE + bytes) / PAGE_BYTES; p++) {
        model.pages[p].open_read[processor] = true;
        model.pages[p].open_write[processor] |= is_write;
    }
}

static void host_touches(struct uvm_delta *got)
{
    int p = live_page(), stride = random_below(2) ? 1 : (int)random_below(pages_of(160)) + 1;
    bool is_write = random_below(2);

    for (int i = 0; i < 30 && p >= 0 && p < PAGES && model.pages[p].live; i++, p += stride) {
        uintptr_t start;
        size_t bytes;
        CU_ASSERT(uvm_cpu_fault(space, address_of(p) + random_below(PAGE_BYTES), is_write, got) <=
                  UVM_ALREADY_GRANTED);
        model_cpu_fault(p, is_write);
        if (uvm_granted_run(space, UVM_CPU, address_of(p), is_write, &start, &bytes))
            open_run(UVM_CPU, start, bytes, is_write);
        else
            UM_FAIL("a host touch of page %d left it closed", p);
        narrow_revoked();
    }
}

static int any_gpu(void)
{
    return 1 + (int)random_below((unsigned)model.sides - 1);
}

/* Touches of a kernel within one range: by faults (whole units are marked), or page by page. */
static void kernel_touches(struct uvm_delta *got)
{
    bool touch[PAGES] = {false}, write[PAGES] = {false}, by_fault = random_below(2);
    int start, end, stride = random_below(2) ? 1 : (int)random_below(pages_of(280)) + 1, side = any_gpu();
    const enum uvm_processor gpu = (enum uvm_processor)side;

    if (!live_range(&start, &end))
        return;
    for (int p = start; p < end; p += stride) {
        bool is_write = random_below(2);
        struct uvm_opening opening = {address_of(p), PAGE_BYTES, is_write, gpu};
        if (by_fault)
            uvm_gpu_touch(space, gpu, address_of(p), is_write, &opening);
        else if (uvm_gpu_touch_pages(space, gpu, address_of(p), PAGE_BYTES, is_write) == UVM_ALREADY_GRANTED)
            continue;
        open_run(side, opening.start, opening.bytes, opening.writable);
    }
    for (int p = 0; p < PAGES; p++) {
        touch[p] = uvm_gpu_touched(space, address_of(p));
        write[p] = space->block[p / BLOCK_PAGES].touched_write.word[p % BLOCK_PAGES / 64] >> p % 64 & 1;
    }
    for (int p = start; p < end; p += stride)
        if (!by_fault && !model.pages[p].read[side])
            CU_ASSERT(touch[p]);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, gpu, NULL, got), UVM_OK);
    model_kernel(side, 0, PAGES, touch, write);
}

static void engine_touches(struct uvm_delta *got)
{
    bool touch[PAGES] = {false}, write[PAGES] = {false}, is_write = random_below(2);
    int start, end, gpu = any_gpu();

    if (!live_range(&start, &end))
        return;
    for (int p = start; p < end; p++) {
        touch[p] = true;
        write[p] = is_write;
    }
    uvm_gpu_access(space, (enum uvm_processor)gpu, address_of(start), (size_t)(end - start) * PAGE_BYTES,
                   is_write, NULL, got);
    model_kernel(gpu, start, end, touch, write);
}

static void one_step(struct uvm_delta *got, const char **name)
{
    static const char *const names[] = {"host",   "host",   "host",     "kernel", "kernel", "engine",
                                        "advise", "advise", "prefetch", "ranges", "memory"};
    unsigned step = random_below(11);
    int start, end, processor = (int)random_below((unsigned)model.sides);

    *name = names[step];
    if (step <= 2) {
        host_touches(got);
    } else if (step <= 4) {
        kernel_touches(got);
    } else if (step == 5) {
        engine_touches(got);
    } else if (step <= 7 && live_range(&start, &end)) {
        enum uvm_advice advice = (enum uvm_advice)random_below(6);
        uvm_advise(space, address_of(start), (size_t)(end - start) * PAGE_BYTES, advice,
                   (enum uvm_processor)processor, got);
        model_advise(start, end, advice, processor);
    } else if (step == 8 && live_range(&start, &end)) {
        uvm_prefetch(space, address_of(start), (size_t)(end - start) * PAGE_BYTES,
                     (enum uvm_processor)processor, got);
        model_prefetch(start, end, processor);
    } else if (step == 9) {
        create_or_destroy();
    } else if (step == 10) {
        const int gpu = any_gpu();
        model.chunk_limit[gpu] = 2 + (int)random_below(BLOCKS - 1);
        uvm_set_device_memory(&machine, (enum uvm_processor)gpu, (uint64_t)model.chunk_limit[gpu], got);
        while (model.chunks_in_use[gpu] > model.chunk_limit[gpu])
            model_evict_one(gpu);
    }
}

static void walk_at_random(unsigned walk_number, int sides, bool linked)
{
    struct uvm_delta got = {0};

    state = walk_number * 7919 + 1;
    model_start(sides, linked);
    fresh(BLOCKS);
    uvm_system_init(&machine, (unsigned)sides - 1, linked ? UVM_LINK : UVM_NO_LINK, BLOCKS);
    machine.distinct_pages_per_batch = BATCH;
    for (unsigned i = 0; i < 300; i++) {
        char step[80];
        const char *name;
        one_step(&got, &name);
        snprintf(step, sizeof step, "%d sides, walk %u step %u (%s)", sides, walk_number, i, name);
        check(&got, step);
    }
}

static void the_12000_random_steps_agree_with_the_rules_written_out_page(void)
{
    for (unsigned walk_number = 0; walk_number < 40; walk_number++)
        walk_at_random(walk_number, 2, false);
}

static void random_steps_of_two_and_three_GPUs_with_a_link_agree(void)
{
    uint64_t moved = 0, mapped = 0;

    for (unsigned walk_number = 0; walk_number < 40; walk_number++) {
        walk_at_random(walk_number, 3 + walk_number % 2, true);
        moved += uvm_delta_bytes(&model.expected, UVM_DTOD);
        mapped += model.expected.pages_mapped_at_peers[1];
    }
    CU_ASSERT(moved > 0 && mapped > 0); /* or there would be little to agree on */
}

static void random_steps_of_two_and_three_GPUs_without_a_link_agree(void)
{
    for (unsigned walk_number = 0; walk_number < 40; walk_number++)
        walk_at_random(walk_number, 3 + walk_number % 2, false);
}

UM_TESTS("paging: random walks",
         {"12,000 random steps agree with the rules written out page by page",
          the_12000_random_steps_agree_with_the_rules_written_out_page},
         {"12,000 random steps of two and three GPUs with a link agree",
          random_steps_of_two_and_three_GPUs_with_a_link_agree},
         {"12,000 random steps of two and three GPUs without a link agree",
          random_steps_of_two_and_three_GPUs_without_a_link_agree});
