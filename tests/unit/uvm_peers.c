/**
 * @file uvm_peers.c
 * @brief The paging policy with several GPUs: whose memory a page goes to, who maps it there, and what ends.
 *
 * What two H200s answer is in tests/peers/measured; here the rules stand one by one, also those that no
 * machine could be asked: three GPUs, none of them linked, and full ones.
 */
#include "uvm_fixture.h"

#define GPU0 UVM_GPU
#define GPU1 ((enum uvm_processor)(UVM_GPU + 1))
#define GPU2 ((enum uvm_processor)(UVM_GPU + 2))
#define SIZE (2 * MiB)
#define SIZE_PAGES (SIZE / UVM_PAGE_BYTES)

/* Some GPUs, and one allocation of a block, which the host has written. */
static uintptr_t on_host(unsigned gpus, enum uvm_link link)
{
    fresh(PLENTY);
    uvm_system_init(&machine, gpus, link, PLENTY);
    CU_ASSERT_EQUAL_FATAL(uvm_range_create(space, BASE, SIZE), UVM_OK);
    walk(BASE, SIZE, true);
    return BASE;
}

static struct uvm_delta gpu_touches(enum uvm_processor gpu, uintptr_t p, bool is_write)
{
    struct uvm_delta delta = {0};

    CU_ASSERT(uvm_gpu_touch_pages(space, gpu, p, SIZE, is_write) <= UVM_ALREADY_GRANTED);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, gpu, NULL, &delta), UVM_OK);
    return delta;
}

static uint64_t pages_of(enum uvm_processor processor, uintptr_t p)
{
    uint64_t pages[UVM_PROCESSORS];

    uvm_count_resident(space, p, SIZE, pages);
    return pages[processor];
}

/* All of it is with this processor, and nowhere else. */
static bool is_with(enum uvm_processor processor, uintptr_t p)
{
    for (int i = 0; i < UVM_PROCESSORS; i++)
        if (pages_of((enum uvm_processor)i, p) != ((int)processor == i ? SIZE_PAGES : 0))
            return false;
    return true;
}

static bool maps(enum uvm_processor processor, uintptr_t p)
{
    return uvm_granted(space, processor, p, false);
}

static void a_page_goes_from_GPU_to_GPU(void)
{
    uintptr_t p = on_host(2, UVM_LINK_ATOMICS);

    gpu_touches(GPU0, p, true);
    CU_ASSERT(is_with(GPU0, p));
    struct uvm_delta delta = gpu_touches(GPU1, p, false);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOD), SIZE);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_HTOD) + uvm_delta_bytes(&delta, UVM_DTOH), 0);
    UM_EQUAL(delta.pages_taken_from_peers, SIZE_PAGES);
    CU_ASSERT(is_with(GPU1, p) && !maps(GPU0, p) && !maps(UVM_CPU, p));
}

static void without_a_link_it_goes_by_the_hosts_memory(void)
{
    uintptr_t p = on_host(2, UVM_NO_LINK);

    gpu_touches(GPU0, p, true);
    struct uvm_delta delta = gpu_touches(GPU1, p, false);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOD), 0);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOH), SIZE);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_HTOD), SIZE);
    CU_ASSERT(is_with(GPU1, p));
}

static void a_duplicate_that_goes_by_the_hosts_memory_stays_there_too(void)
{
    uintptr_t p = on_host(2, UVM_NO_LINK);

    gpu_touches(GPU0, p, true);
    advise(p, SIZE, UVM_SET_READ_MOSTLY, UVM_NO_PROCESSOR);
    struct uvm_delta delta = gpu_touches(GPU1, p, false);
    UM_EQUAL(delta.pages_duplicated, 2 * SIZE_PAGES);
    UM_EQUAL(pages_of(UVM_CPU, p) + pages_of(GPU0, p) + pages_of(GPU1, p), 3 * SIZE_PAGES);
}

static void a_peers_page_is_mapped_where_it_prefers_to_be(void)
{
    uintptr_t p = on_host(3, UVM_LINK);

    advise(p, SIZE, UVM_SET_PREFERRED_LOCATION, GPU1);
    prefetch(p, SIZE, GPU1);
    struct uvm_delta delta = gpu_touches(GPU2, p, true);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOD), 0);
    UM_EQUAL(delta.pages_mapped_at_peers[GPU2], SIZE_PAGES);
    CU_ASSERT(is_with(GPU1, p) && maps(GPU1, p) && maps(GPU2, p) && !maps(GPU0, p));
    advise(p, SIZE, UVM_SET_PREFERRED_LOCATION, GPU2); /* its next touch shall fault, and bring it */
    CU_ASSERT(!maps(GPU2, p));
    gpu_touches(GPU2, p, false);
    CU_ASSERT(is_with(GPU2, p) && !maps(GPU1, p));
}

static void without_a_link_a_preferred_location_holds_no_other_GPU_back(void)
{
    uintptr_t p = on_host(2, UVM_NO_LINK);

    advise(p, SIZE, UVM_SET_PREFERRED_LOCATION, GPU0);
    prefetch(p, SIZE, GPU0);
    gpu_touches(GPU1, p, false);
    CU_ASSERT(is_with(GPU1, p));
}

static void a_page_that_is_elsewhere_goes_to_the_preferred_location_when_a_third_touches_it(void)
{
    uintptr_t p = on_host(3, UVM_LINK);

    prefetch(p, SIZE, GPU0);
    advise(p, SIZE, UVM_SET_PREFERRED_LOCATION, GPU1);
    gpu_touches(GPU2, p, false);
    CU_ASSERT(is_with(GPU1, p) && maps(GPU2, p) && !maps(GPU0, p));
}

static void AccessedBy_maps_for_all_whom_it_names_wherever_the_page_goes(void)
{
    uintptr_t p = on_host(3, UVM_LINK);

    advise(p, SIZE, UVM_SET_ACCESSED_BY, GPU0);
    advise(p, SIZE, UVM_SET_ACCESSED_BY, GPU2);
    CU_ASSERT(maps(GPU0, p) && !maps(GPU1, p) && maps(GPU2, p) && is_with(UVM_CPU, p));
    gpu_touches(GPU1, p, true); /* it is not named: the page comes */
    CU_ASSERT(maps(GPU0, p) && maps(GPU1, p) && maps(GPU2, p) && is_with(GPU1, p));
    struct uvm_delta delta = gpu_touches(GPU2, p, true);
    UM_EQUAL(delta.gpu_fault_batches, 0);
    prefetch(p, SIZE, GPU2);
    CU_ASSERT(maps(GPU0, p) && !maps(GPU1, p) && is_with(GPU2, p));
}

static void a_write_ends_all_other_copies(void)
{
    uintptr_t p = on_host(3, UVM_LINK);

    advise(p, SIZE, UVM_SET_READ_MOSTLY, UVM_NO_PROCESSOR);
    for (enum uvm_processor gpu = GPU0; gpu <= GPU2; gpu++)
        gpu_touches(gpu, p, false);
    struct uvm_delta delta = gpu_touches(GPU1, p, true);
    UM_EQUAL(delta.pages_invalidated, 3 * SIZE_PAGES);
    UM_EQUAL(delta.copies_dropped_at_peers, 2 * SIZE_PAGES);
    CU_ASSERT(is_with(GPU1, p) && !maps(GPU0, p) && !maps(GPU2, p) && !maps(UVM_CPU, p));
}

static void the_next_copy_comes_over_the_link(void)
{
    uintptr_t p = on_host(2, UVM_LINK);

    advise(p, SIZE, UVM_SET_READ_MOSTLY, UVM_NO_PROCESSOR);
    gpu_touches(GPU0, p, false);
    struct uvm_delta delta = gpu_touches(GPU1, p, false); /* the host has it, too, but farther away */
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOD), SIZE);
    UM_EQUAL(delta.pages_taken_from_peers, 0);
}

static void each_GPU_evicts_its_own_and_copies_elsewhere_end(void)
{
    uintptr_t p = on_host(2, UVM_LINK);
    struct uvm_delta delta = {0};

    advise(p, SIZE, UVM_SET_READ_MOSTLY, UVM_NO_PROCESSOR);
    gpu_touches(GPU0, p, false);
    gpu_touches(GPU1, p, false);
    UM_EQUAL(machine.device[0].chunks_used, 1);
    UM_EQUAL(machine.device[1].chunks_used, 1);
    uvm_set_device_memory(&machine, GPU1, 0, &delta);
    UM_EQUAL(delta.evictions, 1);
    UM_EQUAL(uvm_delta_bytes(&delta, UVM_DTOH), 0); /* the host has a copy */
    CU_ASSERT(is_with(UVM_CPU, p) && !maps(GPU0, p));
    UM_EQUAL(machine.device[0].chunks_used, 0);
}

/* Both GPUs write in turn, less than a lapse apart. */
static struct uvm_delta fight(uintptr_t p, unsigned turns)
{
    struct uvm_delta sum = {0};
    uint64_t now = 1000000;

    for (unsigned i = 0; i < turns; i++) {
        struct uvm_delta delta = {.now_ns = now};
        uvm_gpu_touch_pages(space, i % 2 ? GPU1 : GPU0, p, 1, true);
        uvm_gpu_replay(space, i % 2 ? GPU1 : GPU0, NULL, &delta);
        now = delta.now_ns + 60000;
        sum.pages_pinned += delta.pages_pinned;
        for (int j = 0; j < UVM_PROCESSORS; j++)
            sum.throttles[j] += delta.throttles[j];
        sum.gpu_fault_batches += delta.gpu_fault_batches;
    }
    return sum;
}

static void GPUs_that_fight_over_a_linked_page_are_not_kept_waiting(void)
{
    uintptr_t p = on_host(2, UVM_LINK_ATOMICS);
    struct uvm_delta sum = fight(p, 20);

    UM_EQUAL(sum.pages_pinned, 1);
    UM_EQUAL(sum.throttles[GPU0] + sum.throttles[GPU1], 0);
    CU_ASSERT(sum.gpu_fault_batches < 10); /* then both have it mapped */
    CU_ASSERT(uvm_granted(space, GPU0, p, true) && uvm_granted(space, GPU1, p, true));
}

static void without_a_link_they_are_and_it_is_pinned_on_the_host(void)
{
    uintptr_t p = on_host(2, UVM_NO_LINK);
    struct uvm_delta sum = fight(p, 60);
    uint64_t pages[UVM_PROCESSORS];

    CU_ASSERT(sum.throttles[GPU0] + sum.throttles[GPU1] >= UVM_THRASHING_PIN_THRESHOLD);
    CU_ASSERT(sum.pages_pinned >= 1);
    uvm_count_resident(space, p, 1, pages);
    UM_EQUAL(pages[UVM_CPU], 1);
    CU_ASSERT(uvm_granted(space, GPU0, p, true) && uvm_granted(space, GPU1, p, true));
}

UM_TESTS("paging: several GPUs", {"a page goes from GPU to GPU", a_page_goes_from_GPU_to_GPU},
         {"without a link it goes by the host's memory", without_a_link_it_goes_by_the_hosts_memory},
         {"a duplicate that goes by the host's memory stays there, too",
          a_duplicate_that_goes_by_the_hosts_memory_stays_there_too},
         {"a peer's page is mapped where it prefers to be", a_peers_page_is_mapped_where_it_prefers_to_be},
         {"without a link a preferred location holds no other GPU back",
          without_a_link_a_preferred_location_holds_no_other_GPU_back},
         {"a page that is elsewhere goes to the preferred location when a third GPU touches it",
          a_page_that_is_elsewhere_goes_to_the_preferred_location_when_a_third_touches_it},
         {"AccessedBy maps for all whom it names, wherever the page goes",
          AccessedBy_maps_for_all_whom_it_names_wherever_the_page_goes},
         {"a write ends all other copies", a_write_ends_all_other_copies},
         {"the next copy comes over the link", the_next_copy_comes_over_the_link},
         {"each GPU evicts its own, and copies elsewhere end",
          each_GPU_evicts_its_own_and_copies_elsewhere_end},
         {"GPUs that fight over a linked page are not kept waiting",
          GPUs_that_fight_over_a_linked_page_are_not_kept_waiting},
         {"without a link they are, and it is pinned on the host",
          without_a_link_they_are_and_it_is_pinned_on_the_host});
