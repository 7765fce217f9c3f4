/**
 * @file uvm_tree.c
 * @brief The prefetcher brings what NVIDIA's 51% tree brings.
 */
#include "uvm_fixture.h"

static size_t faults_in_order(const unsigned *pages, unsigned count)
{
    uintptr_t p = fresh_allocation(2 * MiB);
    struct uvm_delta delta = {0};

    for (unsigned i = 0; i < count; i++)
        uvm_cpu_fault(space, p + pages[i] * UVM_PAGE_BYTES, true, &delta);
    return delta.cpu_faults;
}

static void a_walk_of_a_block_brings_64_64_128_256_512_and_1024_KiB(void)
{
    static const size_t expected[] = {64 * KiB, 64 * KiB, 128 * KiB, 256 * KiB, 512 * KiB, 1024 * KiB};
    uintptr_t p = fresh_allocation(2 * MiB);
    unsigned fault = 0;
    uint64_t pages[UVM_PROCESSORS], before = 0;

    for (unsigned page = 0; page < UVM_PAGES_PER_BLOCK; page++) {
        struct uvm_delta delta = {0};
        if (uvm_cpu_fault(space, p + page * UVM_PAGE_BYTES, true, &delta) != UVM_OK)
            continue;
        uvm_count_resident(space, p, 2 * MiB, pages);
        CU_ASSERT_FATAL(fault < 6);
        UM_EQUAL((pages[UVM_CPU] - before) * UVM_PAGE_BYTES, expected[fault]);
        UM_EQUAL(delta.pages_populated[UVM_CPU], pages[UVM_CPU] - before);
        before = pages[UVM_CPU];
        fault++;
    }
    UM_EQUAL(fault, 6);
}

static void a_block_takes_6_faults_in_reverse_and_at_64_KiB_strides_too(void)
{
    unsigned pages[UVM_PAGES_PER_BLOCK];

    for (unsigned i = 0; i < UVM_PAGES_PER_BLOCK; i++)
        pages[i] = UVM_PAGES_PER_BLOCK - 1 - i;
    UM_EQUAL(faults_in_order(pages, UVM_PAGES_PER_BLOCK), 6);
    for (unsigned i = 0; i < 32; i++)
        pages[i] = i * UVM_PAGES_PER_BIG_PAGE;
    UM_EQUAL(faults_in_order(pages, 32), 6);
    for (unsigned i = 0; i < 32; i++)
        pages[i] = (31 - i) * UVM_PAGES_PER_BIG_PAGE + UVM_PAGES_PER_BIG_PAGE / 2 - 1;
    UM_EQUAL(faults_in_order(pages, 32), 6);
}

/* 64 KiB at 0 and at 128K: 128 of 256 KiB is no more than 51%, so the third comes alone; with it, 192 of 256
 * is. */
static void a_subtree_that_is_half_full_is_not_brought(void)
{
    uintptr_t p = fresh_allocation(2 * MiB);
    struct uvm_delta delta = {0};
    uint64_t pages[UVM_PROCESSORS];

    uvm_cpu_fault(space, p, true, &delta);
    uvm_cpu_fault(space, p + 128 * KiB, true, &delta);
    uvm_count_resident(space, p, 2 * MiB, pages);
    UM_EQUAL(pages[UVM_CPU], 2 * UVM_PAGES_PER_BIG_PAGE);
    uvm_cpu_fault(space, p + 64 * KiB, true, &delta);
    uvm_count_resident(space, p, 2 * MiB, pages);
    UM_EQUAL(pages[UVM_CPU], 4 * UVM_PAGES_PER_BIG_PAGE);
    UM_EQUAL(delta.cpu_faults, 3);
}

static void an_allocation_smaller_than_a_big_page_is_filled_whole(void)
{
    const unsigned pages = UVM_PAGES_PER_BIG_PAGE * 5 / 8;
    uintptr_t p = fresh_allocation(pages * UVM_PAGE_BYTES);
    struct uvm_delta delta = {0};

    uvm_cpu_fault(space, p + (pages - 1) * UVM_PAGE_BYTES, false, &delta);
    UM_EQUAL(delta.pages_populated[UVM_CPU], pages);
}

/* An allocation that begins 16 KiB before a 64 KiB boundary and ends 16 after the next one. */
static void what_lies_before_and_after_the_whole_big_pages_is_filled_like(void)
{
    const size_t edge = 16 * KiB, size = edge + 64 * KiB + edge;
    struct uvm_delta delta = {0};

    fresh(PLENTY);
    uintptr_t p = BASE + 64 * KiB - edge;
    CU_ASSERT_EQUAL(uvm_range_create(space, p, size), UVM_OK);
    uvm_cpu_fault(space, p, true, &delta); /* the prefix alone */
    UM_EQUAL(delta.pages_populated[UVM_CPU], edge / UVM_PAGE_BYTES);
    uvm_cpu_fault(space, p + size - UVM_PAGE_BYTES, true, &delta); /* the suffix */
    UM_EQUAL(delta.pages_populated[UVM_CPU], 2 * edge / UVM_PAGE_BYTES);
    uvm_cpu_fault(space, p + edge + 24 * KiB, true, &delta);
    UM_EQUAL(delta.pages_populated[UVM_CPU], size / UVM_PAGE_BYTES);
    UM_EQUAL(delta.cpu_faults, 3);
}

static void an_allocations_neighbours_in_its_block_are_left_alone(void)
{
    const size_t size = 2 * UVM_PAGE_BYTES;
    struct uvm_delta delta = {0};
    uint64_t pages[UVM_PROCESSORS];

    fresh(PLENTY);
    for (unsigned i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(uvm_range_create(space, BASE + i * size, size), UVM_OK);
    uvm_cpu_fault(space, BASE + size, true, &delta);
    UM_EQUAL(delta.pages_populated[UVM_CPU], 2);
    uvm_count_resident(space, BASE + size, size, pages);
    UM_EQUAL(pages[UVM_CPU], 2);
}

UM_TESTS("paging: tree",
         {"a walk of a block brings 64, 64, 128, 256, 512 and 1024 KiB",
          a_walk_of_a_block_brings_64_64_128_256_512_and_1024_KiB},
         {"a block takes 6 faults in reverse, and at 64 KiB strides, too",
          a_block_takes_6_faults_in_reverse_and_at_64_KiB_strides_too},
         {"a subtree that is half full is not brought", a_subtree_that_is_half_full_is_not_brought},
         {"an allocation smaller than a big page is filled whole",
          an_allocation_smaller_than_a_big_page_is_filled_whole},
         {"what lies before and after the whole big pages is filled like one",
          what_lies_before_and_after_the_whole_big_pages_is_filled_like},
         {"an allocation's neighbours in its block are left alone",
          an_allocations_neighbours_in_its_block_are_left_alone});
