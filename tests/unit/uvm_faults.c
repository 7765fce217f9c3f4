/**
 * @file uvm_faults.c
 * @brief Touches by the host and by kernels; ranges and grants.
 */
#include "uvm_fixture.h"

static void a_host_walk_of_256_MiB_takes_768_faults_and_1536_transfers_back(void)
{
    size_t size = 256 * MiB;
    uintptr_t p = fresh_allocation(size);
    struct uvm_delta delta;

    COUNTS(walk(p, size, true), 0, 0, 768);
    prefetch(p, size, UVM_GPU);
    delta = walk(p, size, true);
    COUNTS(delta, 0, 268435456, 768);
    UM_EQUAL(uvm_delta_transfers(&delta, UVM_DTOH), 1536); /* 12 a block */
    UM_EQUAL(delta.bytes[UVM_DTOH][UVM_CAUSE_COHERENCE], 768 * UVM_PAGE_BYTES);
}

static void one_byte_read_by_the_GPU_brings_64_KiB_in_one_fault_group(void)
{
    uintptr_t p = fresh_allocation(2 * MiB);
    struct uvm_opening opening;
    struct uvm_delta delta = {0};

    walk(p, 2 * MiB, true);
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p + 100, false, &opening), UVM_OK);
    UM_EQUAL(opening.start, p);
    UM_EQUAL(opening.bytes, 65536);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, NULL, &delta), UVM_OK);
    COUNTS(delta, 65536, 0, 0);
    UM_EQUAL(delta.gpu_fault_groups, 1);
    COUNTS(walk(p, 1, false), 0, 65536, 1);
    /* A copy that faults on one page brings it for coherence and the rest of 64 KiB by the prefetcher: two
     * transfers. */
    memset(&delta, 0, sizeof delta);
    CU_ASSERT_EQUAL(uvm_gpu_access(space, UVM_GPU, p + MiB, 1, false, NULL, &delta), UVM_OK);
    UM_EQUAL(delta.transfers[UVM_HTOD][UVM_CAUSE_COHERENCE], 1);
    UM_EQUAL(delta.transfers[UVM_HTOD][UVM_CAUSE_PREFETCH], 1);
    UM_EQUAL(delta.bytes[UVM_HTOD][UVM_CAUSE_COHERENCE], UVM_PAGE_BYTES);
}

static void the_GPUs_first_touch_of_256_MiB_takes_an_H200s_fault_groups(void)
{
    size_t size = 256 * MiB;
    uintptr_t p = fresh_allocation(size);
    const struct uvm_launch launch =
        h200_launch(8 * 132, 256); /* as large as the device; each thread goes on */
    struct uvm_delta delta = kernel_launched(&launch, p, size, true);

    show_groups("first touch of 256 MiB", &delta, 374);
    COUNTS(delta, 0, 0, 0);
    UM_EQUAL(delta.pages_populated[UVM_GPU], size / UVM_PAGE_BYTES);
    UM_EQUAL(machine.device[0].chunks_used, 128);
    ask_only_with_the_H200s_pages();
    CU_ASSERT(delta.gpu_fault_groups >= 374 * 75 / 100 && delta.gpu_fault_groups <= 374 * 125 / 100);
}

/* The same set of touches, marked in another order and by single faults, costs the same. */
static void what_a_launch_costs_does_not_depend_on_the_order_of_its_touches(void)
{
    size_t size = 16 * MiB;
    const unsigned pages = (unsigned)(size / UVM_PAGE_BYTES);
    const struct uvm_launch launch = h200_launch(size / 1024, 256);
    struct uvm_delta delta[3] = {{0}};
    struct uvm_opening opening;

    for (unsigned order = 0; order < 3; order++) {
        uintptr_t p = fresh_allocation(size);
        walk(p, size, true);
        for (unsigned i = 0; i < pages; i++) {
            unsigned page = order == 0 ? i : order == 1 ? pages - 1 - i : i * 2654435761u % pages;
            if (page % 48 < 20)
                CU_ASSERT_EQUAL(
                    uvm_gpu_touch(space, UVM_GPU, p + page * UVM_PAGE_BYTES, page % 3 == 0, &opening),
                    UVM_OK);
        }
        CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, &launch, &delta[order]), UVM_OK);
        CU_ASSERT(memcmp(&delta[order], &delta[0], sizeof *delta) == 0);
    }
    CU_ASSERT(delta[0].gpu_fault_groups >= 8);
}

static void a_running_launch_opens_what_it_will_surely_be_granted(void)
{
    uintptr_t p = fresh_allocation(2 * MiB);
    struct uvm_opening opening;
    struct uvm_delta delta = {0};

    /* nowhere: 64 KiB, to write, though only read */
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p + 70 * KiB, false, &opening), UVM_OK);
    UM_EQUAL(opening.start, p + 64 * KiB);
    UM_EQUAL(opening.bytes, 64 * KiB);
    CU_ASSERT(opening.writable);
    CU_ASSERT(uvm_gpu_touched(space, p + 64 * KiB) && !uvm_gpu_touched(space, p));
    /* the host touches one of those pages meanwhile */
    CU_ASSERT_EQUAL(uvm_cpu_fault(space, p + 64 * KiB, true, &delta), UVM_OK);
    UM_EQUAL(delta.pages_contended, 1);
    uvm_gpu_replay(space, UVM_GPU, NULL, &delta);
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p + 70 * KiB, true, &opening), UVM_ALREADY_GRANTED);
    UM_EQUAL(opening.bytes, 64 * KiB);
    /* remote pages that the host has mapped: one at a time */
    advise(p, 2 * MiB, UVM_SET_PREFERRED_LOCATION, UVM_CPU);
    walk(p, 2 * MiB, true);
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p + 70 * KiB, false, &opening), UVM_OK);
    UM_EQUAL(opening.bytes, UVM_PAGE_BYTES);
    uvm_gpu_replay(space, UVM_GPU, NULL, &delta);
    /* duplicates: read 64 KiB, written one at a time */
    p = fresh_allocation(2 * MiB);
    walk(p, 2 * MiB, true);
    advise(p, 2 * MiB, UVM_SET_READ_MOSTLY, UVM_NO_PROCESSOR);
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p, false, &opening), UVM_OK);
    UM_EQUAL(opening.bytes, 64 * KiB);
    CU_ASSERT(!opening.writable);
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p, true, &opening), UVM_OK);
    UM_EQUAL(opening.bytes, UVM_PAGE_BYTES);
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, p + 2 * MiB, true, &opening), UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, 0, true, &opening), UVM_INVALID_ADDRESS);
}

static void a_launch_walks_its_allocations_at_the_same_pace(void)
{
    struct uvm_delta delta = {0};

    fresh(PLENTY);
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(uvm_range_create(space, BASE + i * 64 * MiB, 64 * MiB), UVM_OK);
        uvm_gpu_touch_pages(space, UVM_GPU, BASE + i * 64 * MiB, 64 * MiB, true);
    }
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, NULL, &delta), UVM_OK);
    UM_EQUAL(delta.pages_populated[UVM_GPU], 3 * 64 * MiB / UVM_PAGE_BYTES);
    /* each batch hits all three */
    CU_ASSERT(delta.gpu_fault_services >= 3 * delta.gpu_fault_batches - 3);
}

static void a_launch_may_touch_more_allocations_than_fit_into_a_batch(void)
{
    struct uvm_delta delta = {0};

    fresh(PLENTY);
    for (unsigned i = 0; i < 1000; i++)
        CU_ASSERT_EQUAL(uvm_range_create(space, BASE + i * UVM_PAGE_BYTES, 100), UVM_OK);
    for (unsigned i = 0; i < 1000; i += 2)
        uvm_gpu_touch_pages(space, UVM_GPU, BASE + i * UVM_PAGE_BYTES, 1, true);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, NULL, &delta), UVM_OK);
    UM_EQUAL(delta.pages_populated[UVM_GPU], 500);
    UM_EQUAL(delta.gpu_fault_services, 500);
    UM_EQUAL(machine.device[0].chunks_used, (1000 + UVM_PAGES_PER_BLOCK - 1) / UVM_PAGES_PER_BLOCK);
}

static void ranges_do_not_overlap_and_end_whole(void)
{
    uintptr_t p = fresh_allocation(6 * MiB);
    struct uvm_delta delta = {0};
    size_t block;

    CU_ASSERT_EQUAL(uvm_range_create(space, p + 5 * MiB, MiB), UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_range_create(space, p - 1, 1), UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_range_create(space, p + (ARENA_BLOCKS - 1) * 2 * MiB, 2 * MiB + 1),
                    UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_range_create(space, p + 6 * MiB, 0), UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_range_create(space, p + 6 * MiB, 2 * MiB), UVM_OK);
    CU_ASSERT_EQUAL(uvm_range_destroy(space, p, 4 * MiB), UVM_INVALID_ADDRESS); /* a part */
    CU_ASSERT_EQUAL(uvm_range_destroy(space, p, 8 * MiB), UVM_INVALID_ADDRESS); /* two */
    CU_ASSERT_EQUAL(uvm_range_destroy(space, p + 2 * MiB, 4 * MiB), UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_cpu_fault(space, p + 8 * MiB, false, &delta), UVM_INVALID_ADDRESS);
    CU_ASSERT_EQUAL(uvm_prefetch(space, p + 7 * MiB, 2 * MiB, UVM_GPU, &delta), UVM_INVALID_ADDRESS);
    UM_EQUAL(delta.cpu_faults, 0);
    prefetch(p, 4 * MiB, UVM_GPU);
    UM_EQUAL(machine.device[0].chunks_used, 2);
    while (uvm_revoked_next(space, UVM_GPU, &block)) {
    }
    CU_ASSERT_EQUAL(uvm_range_destroy(space, p, 6 * MiB), UVM_OK);
    UM_EQUAL(machine.device[0].chunks_used, 0);
    CU_ASSERT(!uvm_is_valid(space, p) && uvm_is_valid(space, p + 6 * MiB));
    CU_ASSERT(!uvm_granted(space, UVM_GPU, p, false));
    CU_ASSERT(uvm_revoked_next(space, UVM_GPU, &block) && block == 0);
    CU_ASSERT(uvm_revoked_next(space, UVM_GPU, &block) && block == 1);
    CU_ASSERT(!uvm_revoked_next(space, UVM_GPU, &block));
    CU_ASSERT_EQUAL(uvm_range_create(space, p, 6 * MiB), UVM_OK);
    /* freed while what a launch opened is not charged yet */
    CU_ASSERT_EQUAL(uvm_gpu_touch_pages(space, UVM_GPU, p + 4 * MiB, 1, true), UVM_OK);
    CU_ASSERT_EQUAL(uvm_range_destroy(space, p, 6 * MiB), UVM_OK);
    CU_ASSERT(uvm_revoked_next(space, UVM_GPU, &block) && block == 2);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, NULL, &delta), UVM_OK);
    UM_EQUAL(delta.gpu_fault_groups, 0);
    CU_ASSERT_EQUAL(uvm_range_create(space, p, 6 * MiB), UVM_OK);
    COUNTS(walk(p, 6 * MiB, false), 0, 0, 18); /* fresh again */
}

static void grants_come_in_runs_and_what_is_lost_is_noted(void)
{
    uintptr_t p = fresh_allocation(4 * MiB), start;
    struct uvm_delta delta = {0};
    size_t bytes, block;

    CU_ASSERT(!uvm_granted_run(space, UVM_CPU, p, false, &start, &bytes));
    uvm_cpu_fault(space, p + 100 * KiB, false, &delta);
    CU_ASSERT(uvm_granted_run(space, UVM_CPU, p + 127 * KiB, true, &start, &bytes));
    UM_EQUAL(start, p + 64 * KiB);
    UM_EQUAL(bytes, 64 * KiB);
    walk(p, 4 * MiB, true);
    CU_ASSERT(uvm_granted_run(space, UVM_CPU, p + 3 * MiB, true, &start, &bytes));
    UM_EQUAL(start, p + 2 * MiB);
    UM_EQUAL(bytes, 2 * MiB);
    CU_ASSERT(!uvm_revoked_next(space, UVM_CPU, &block));
    kernel(p + 2 * MiB, 1, false);
    CU_ASSERT(uvm_revoked_next(space, UVM_CPU, &block));
    UM_EQUAL(block, 1);
    CU_ASSERT(!uvm_revoked_next(space, UVM_CPU, &block));
    CU_ASSERT_EQUAL(uvm_cpu_fault(space, p, true, &delta), UVM_ALREADY_GRANTED);
}

static void a_system_call_touches_as_the_host_would(void)
{
    uintptr_t p = fresh_allocation(4 * MiB);
    struct uvm_delta delta = {0};

    prefetch(p, 4 * MiB, UVM_GPU);
    CU_ASSERT_EQUAL(uvm_cpu_access(space, p, 4 * MiB, false, &delta), UVM_OK);
    COUNTS(delta, 0, 4 * MiB, 12);
    CU_ASSERT_EQUAL(uvm_cpu_access(space, p, 4 * MiB, true, &delta), UVM_ALREADY_GRANTED);
    CU_ASSERT_EQUAL(uvm_cpu_access(space, p, 4 * MiB + 1, true, &delta), UVM_INVALID_ADDRESS);
}

static unsigned long long told_bytes, told_groups;
static unsigned told[UVM_EVENT_EVICTION + 1];
static void tell(void *context, const struct uvm_event *event)
{
    *(int *)context += 1;
    told[event->type]++;
    told_groups += event->groups;
    if (event->type == UVM_EVENT_MIGRATION)
        told_bytes += event->bytes;
}

static void an_observer_hears_of_everything_that_is_counted(void)
{
    uintptr_t p = fresh_allocation(2 * MiB);
    int calls = 0;
    struct uvm_delta delta = {.observer = tell, .observer_context = &calls};

    for (uintptr_t q = p; q < p + 2 * MiB; q += 64 * KiB)
        uvm_cpu_fault(space, q, true, &delta);
    uvm_gpu_access(space, UVM_GPU, p, 2 * MiB, true, NULL, &delta);
    UM_EQUAL(told[UVM_EVENT_CPU_FAULT], delta.cpu_faults);
    UM_EQUAL(told[UVM_EVENT_GPU_FAULT], delta.gpu_fault_batches);
    UM_EQUAL(told_groups, delta.gpu_fault_groups);
    UM_EQUAL(told[UVM_EVENT_MIGRATION], uvm_delta_transfers(&delta, UVM_HTOD));
    UM_EQUAL(told_bytes, 2 * MiB);
    CU_ASSERT(calls > 0 && told[UVM_EVENT_POPULATE] > 0);
}

UM_TESTS("paging: faults",
         {"a host walk of 256 MiB takes 768 faults, and 1536 transfers back from the device",
          a_host_walk_of_256_MiB_takes_768_faults_and_1536_transfers_back},
         {"one byte read by the GPU brings 64 KiB in one fault group",
          one_byte_read_by_the_GPU_brings_64_KiB_in_one_fault_group},
         {"the GPU's first touch of 256 MiB takes an H200's fault groups, within a quarter",
          the_GPUs_first_touch_of_256_MiB_takes_an_H200s_fault_groups},
         {"what a launch costs does not depend on the order of its touches",
          what_a_launch_costs_does_not_depend_on_the_order_of_its_touches},
         {"a running launch opens what it will surely be granted",
          a_running_launch_opens_what_it_will_surely_be_granted},
         {"a launch walks its allocations at the same pace", a_launch_walks_its_allocations_at_the_same_pace},
         {"a launch may touch more allocations than fit into a batch",
          a_launch_may_touch_more_allocations_than_fit_into_a_batch},
         {"ranges do not overlap, and end whole", ranges_do_not_overlap_and_end_whole},
         {"grants come in runs, and what is lost is noted", grants_come_in_runs_and_what_is_lost_is_noted},
         {"a system call touches as the host would", a_system_call_touches_as_the_host_would},
         {"an observer hears of everything that is counted",
          an_observer_hears_of_everything_that_is_counted});
