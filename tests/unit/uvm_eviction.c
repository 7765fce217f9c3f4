/**
 * @file uvm_eviction.c
 * @brief Device memory is limited.
 */
#include "uvm_fixture.h"

static void the_chunk_that_was_filled_first_goes_first_however_hot(void)
{
    struct uvm_delta delta = {0};
    uint64_t pages[UVM_PROCESSORS];
    size_t block;

    fresh(4);
    CU_ASSERT_EQUAL(uvm_range_create(space, BASE, 12 * MiB), UVM_OK);
    for (unsigned i = 0; i < 4; i++)
        kernel(BASE + i * 2 * MiB, 2 * MiB, true);
    kernel(BASE, 2 * MiB, false); /* an access does not make it younger */
    uvm_gpu_access(space, UVM_GPU, BASE + 8 * MiB, 2 * MiB, true, NULL, &delta);
    UM_EQUAL(delta.evictions, 1);
    UM_EQUAL(delta.bytes[UVM_DTOH][UVM_CAUSE_EVICTION], 2 * MiB);
    UM_EQUAL(delta.transfers[UVM_DTOH][UVM_CAUSE_EVICTION], 1);
    uvm_count_resident(space, BASE, 2 * MiB, pages);
    UM_EQUAL(pages[UVM_CPU], UVM_PAGES_PER_BLOCK);
    UM_EQUAL(pages[UVM_GPU], 0);
    CU_ASSERT(uvm_revoked_next(space, UVM_GPU, &block) && block == 0);
    CU_ASSERT(!uvm_granted(space, UVM_GPU, BASE, false));
    UM_EQUAL(machine.device[0].chunks_used, 4);
    /* The evicted block is in host memory, not mapped there: one fault maps it all, and moves nothing. */
    COUNTS(walk(BASE, 2 * MiB, true), 0, 0, 1);
}

static void a_kernel_over_four_times_the_device_memory_ends_and_evicts(void)
{
    size_t size = 64 * MiB;
    struct uvm_delta delta;

    fresh(8); /* 16 MiB */
    CU_ASSERT_EQUAL(uvm_range_create(space, BASE, size), UVM_OK);
    walk(BASE, size, true);
    delta = kernel(BASE, size, true);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_HTOD), size);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOH), size - 16 * MiB);
    UM_EQUAL(delta.evictions, 32 - 8);
    delta =
        kernel(BASE, size, true); /* the last 16 MiB are there, and go before they are reached: as LRU does */
    UM_EQUAL(machine.device[0].chunks_used, 8);
    CU_ASSERT(delta.evictions >= 24);
    delta = prefetch(BASE, size, UVM_GPU);
    UM_EQUAL(machine.device[0].chunks_used, 8);
    UM_EQUAL(delta.evictions, uvm_delta_bytes(&delta, UVM_HTOD) / (2 * MiB));
}

static void a_duplicate_is_dropped_without_a_copy(void)
{
    struct uvm_delta delta = {0};

    fresh(4);
    CU_ASSERT_EQUAL(uvm_range_create(space, BASE, 4 * MiB), UVM_OK);
    walk(BASE, 4 * MiB, true);
    advise(BASE, 4 * MiB, UVM_SET_READ_MOSTLY, UVM_NO_PROCESSOR);
    kernel(BASE, 4 * MiB, false);
    UM_EQUAL(machine.device[0].chunks_used, 2);
    uvm_set_device_memory(&machine, UVM_GPU, 1, &delta); /* cudaMalloc took the rest */
    UM_EQUAL(delta.evictions, 1);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOH), 0);
    UM_EQUAL(delta.pages_invalidated, UVM_PAGES_PER_BLOCK);
    CU_ASSERT(uvm_granted(space, UVM_CPU, BASE, false));
}

static void all_spaces_share_one_device_memory(void)
{
    static _Alignas(64) char memory[1 << 17];
    struct uvm_delta delta = {0};
    struct uvm_space *variables;
    size_t block;

    fresh(2);
    CU_ASSERT_FATAL(uvm_space_bytes(4) <= sizeof memory);
    memset(memory, 0, sizeof memory);
    variables = uvm_space_init(memory, &machine, 0x40000000, 4);
    CU_ASSERT_EQUAL(uvm_range_create(variables, 0x40000000, 100), UVM_OK);
    CU_ASSERT_EQUAL(uvm_gpu_access(variables, UVM_GPU, 0x40000000, 4, true, NULL, &delta), UVM_OK);
    CU_ASSERT_EQUAL(uvm_range_create(space, BASE, 4 * MiB), UVM_OK);
    prefetch(BASE, 4 * MiB, UVM_GPU);
    UM_EQUAL(machine.device[0].chunks_used, 2);
    CU_ASSERT(!uvm_granted(variables, UVM_GPU, 0x40000000, false));
    CU_ASSERT(uvm_revoked_next(variables, UVM_GPU, &block));
}

static void without_any_device_memory_a_GPU_touch_says_so(void)
{
    struct uvm_delta delta = {0};

    fresh(0);
    CU_ASSERT_EQUAL(uvm_range_create(space, BASE, 4 * MiB), UVM_OK);
    CU_ASSERT_EQUAL(uvm_prefetch(space, BASE, 4 * MiB, UVM_GPU, &delta), UVM_NO_DEVICE_MEMORY);
    CU_ASSERT_EQUAL(uvm_gpu_access(space, UVM_GPU, BASE, 1, true, NULL, &delta), UVM_NO_DEVICE_MEMORY);
    CU_ASSERT_EQUAL(uvm_cpu_fault(space, BASE, true, &delta), UVM_OK);
    /* A launch had opened pages that it will never be granted: they have to be closed again. */
    struct uvm_opening opening;
    size_t block;
    CU_ASSERT_EQUAL(uvm_gpu_touch(space, UVM_GPU, BASE + 2 * MiB, true, &opening), UVM_OK);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, NULL, &delta), UVM_NO_DEVICE_MEMORY);
    CU_ASSERT(!uvm_gpu_touched(space, BASE + 2 * MiB));
    CU_ASSERT(uvm_revoked_next(space, UVM_GPU, &block) && block == 1);
}

/* A page evicted from under a launch that may still touch it remotely. */
static void what_is_evicted_stays_mapped_where_AccessedBy_names_the_device(void)
{
    struct uvm_delta delta = {0};

    fresh(1);
    CU_ASSERT_EQUAL(uvm_range_create(space, BASE, 4 * MiB), UVM_OK);
    advise(BASE, 2 * MiB, UVM_SET_ACCESSED_BY, UVM_GPU);
    prefetch(BASE, 2 * MiB, UVM_GPU);
    delta = prefetch(BASE + 2 * MiB, 2 * MiB, UVM_GPU);
    UM_EQUAL(delta.evictions, 1);
    UM_EQUAL(delta.pages_mapped_remotely[UVM_GPU], UVM_PAGES_PER_BLOCK);
    CU_ASSERT(uvm_granted(space, UVM_GPU, BASE, true));
}

UM_TESTS("paging: eviction",
         {"the chunk that was filled first goes first, however hot",
          the_chunk_that_was_filled_first_goes_first_however_hot},
         {"a kernel over four times the device memory ends, and evicts what it must",
          a_kernel_over_four_times_the_device_memory_ends_and_evicts},
         {"a duplicate is dropped without a copy", a_duplicate_is_dropped_without_a_copy},
         {"all spaces share one device memory", all_spaces_share_one_device_memory},
         {"without any device memory a GPU touch says so", without_any_device_memory_a_GPU_touch_says_so},
         {"what is evicted stays mapped where AccessedBy names the device",
          what_is_evicted_stays_mapped_where_AccessedBy_names_the_device});
