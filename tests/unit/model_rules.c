/**
 * @file model_rules.c
 * @brief The rules of the cost model (sim/model/cost.h), whatever the figures: who waits, what adds up, what
 * overlaps.
 */
#include "model_fixture.h"
#include "um_test.h"
#include "sim/model/cost.h"
#include <stdio.h>
#include <string.h>

static struct umsim_profile profile;
static const struct umsim_costs *costs = &profile.costs;

static void load(const char *name)
{
    profile_of(name, &profile);
}

static void a_table_is_straight_between_its_points(void)
{
    const struct umsim_curve rising = {.count = 3, .bytes = {100, 200, 400}, .us = {10, 20, 30}},
                             falling = {.count = 2, .bytes = {100, 200}, .us = {20, 10}};
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&rising, 0), 10, 0);
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&rising, 100), 10, 0);
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&rising, 150), 15, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&rising, 200), 20, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&rising, 300), 25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&rising, 800), 50, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&falling, 150), 15, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(umsim_curve_us(&falling, 5000), 10, 0);
}

static void small_allocations_share_chunks(void)
{
    struct umsim_chunks chunks = {0};
    load("h200-pcie5");
    const uint64_t fetched = umsim_cost_allocation(costs, UMSIM_MALLOC, 4096),
                   given_back = umsim_cost_allocation(costs, UMSIM_FREE, 4096);
    /* 4,096 times 512 bytes are one chunk; the next one needs another */
    UM_EQUAL(umsim_cost_small_allocation(costs, UMSIM_MALLOC, 16, &chunks), fetched);
    for (int i = 1; i < 4096; i++)
        CU_ASSERT_TRUE(umsim_cost_small_allocation(costs, UMSIM_MALLOC, 16, &chunks) < fetched / 10);
    UM_EQUAL(umsim_cost_small_allocation(costs, UMSIM_MALLOC, 16, &chunks), fetched);
    UM_EQUAL(umsim_cost_small_allocation(costs, UMSIM_FREE, 16, &chunks), given_back);
    for (int i = 1; i < 4096; i++)
        CU_ASSERT_TRUE(umsim_cost_small_allocation(costs, UMSIM_FREE, 16, &chunks) < given_back / 10);
    UM_EQUAL(umsim_cost_small_allocation(costs, UMSIM_FREE, 16, &chunks), given_back);
    UM_EQUAL(chunks.bytes, 0);
    /* two of 1 MiB share one, larger ones stand alone; one free too many does not count below nothing */
    UM_EQUAL(umsim_cost_small_allocation(costs, UMSIM_MALLOC, 1 << 20, &chunks), fetched);
    CU_ASSERT_TRUE(umsim_cost_small_allocation(costs, UMSIM_MALLOC, 1 << 20, &chunks) < fetched);
    UM_EQUAL(umsim_cost_small_allocation(costs, UMSIM_MALLOC, (1 << 20) + 1, &chunks),
             umsim_cost_allocation(costs, UMSIM_MALLOC, (1 << 20) + 1));
    UM_EQUAL(chunks.bytes, 2 << 20);
    for (int i = 0; i < 3; i++)
        umsim_cost_small_allocation(costs, UMSIM_FREE, 1 << 20, &chunks);
    UM_EQUAL(chunks.bytes, 0);
}

static void a_chains_neighbours_come_along(void)
{
    const uint64_t nodes = 4096;
    UM_EQUAL(umsim_cost_chain_misses(UMSIM_MEMORY_DEVICE, nodes, nodes * 16), nodes / 4);
    UM_EQUAL(umsim_cost_chain_misses(UMSIM_MEMORY_MAPPED, nodes, nodes * 16), nodes / 2);
    UM_EQUAL(umsim_cost_chain_misses(UMSIM_MEMORY_MANAGED_RESIDENT, nodes, nodes * 128), nodes);
    UM_EQUAL(umsim_cost_chain_misses(UMSIM_MEMORY_MANAGED_REMOTE, nodes, nodes * 8), nodes / 4);
    UM_EQUAL(umsim_cost_chain_misses(UMSIM_MEMORY_DEVICE, nodes, 16), nodes); /* the rest is elsewhere */
    UM_EQUAL(umsim_cost_chain_misses(UMSIM_MEMORY_DEVICE, 0, 16), 0);
}

static struct umsim_copy_cost copy(enum umsim_copy_path path, enum umsim_host_memory host, uint64_t bytes,
                                   int async)
{
    return umsim_cost_copy(costs, path, host, bytes, async);
}

static void who_waits_for_a_copy_is_CUDAs_documented_rule(void)
{
    load("h200-pcie5");
    UM_EQUAL(copy(UMSIM_COPY_HTOD, UMSIM_HOST_PINNED, 1 << 20, 0).host_waits, 1);
    UM_EQUAL(copy(UMSIM_COPY_HTOD, UMSIM_HOST_PINNED, 1 << 20, 1).host_waits, 0);
    UM_EQUAL(copy(UMSIM_COPY_DTOH, UMSIM_HOST_PINNED, 1 << 20, 1).host_waits, 0);
    UM_EQUAL(copy(UMSIM_COPY_DTOH, UMSIM_HOST_PINNED, 1, 0).host_waits, 1);
    UM_EQUAL(copy(UMSIM_COPY_HTOD, UMSIM_HOST_PAGEABLE, 65536, 0).host_waits,
             0); /* staged, then on its own */
    UM_EQUAL(copy(UMSIM_COPY_HTOD, UMSIM_HOST_PAGEABLE, 65537, 0).host_waits, 1);
    UM_EQUAL(copy(UMSIM_COPY_HTOD, UMSIM_HOST_PAGEABLE, 65537, 1).host_waits, 1);
    UM_EQUAL(copy(UMSIM_COPY_DTOH, UMSIM_HOST_PAGEABLE, 1, 1).host_waits, 1);
    UM_EQUAL(copy(UMSIM_COPY_DTOD, UMSIM_HOST_PINNED, 1 << 20, 0).host_waits, 0);
    UM_EQUAL(copy(UMSIM_COPY_MEMSET, UMSIM_HOST_PINNED, 1 << 20, 0).host_waits, 0);
    UM_EQUAL(copy(UMSIM_COPY_HTOD, UMSIM_HOST_WRITE_COMBINED, 9, 0).engine, UMSIM_ENGINE_COPY_HTOD);
    UM_EQUAL(copy(UMSIM_COPY_DTOH, UMSIM_HOST_PAGEABLE, 9, 0).engine, UMSIM_ENGINE_COPY_DTOH);
    UM_EQUAL(copy(UMSIM_COPY_DTOD, UMSIM_HOST_PINNED, 9, 0).engine, UMSIM_ENGINE_COMPUTE);
    struct umsim_copy_cost host = copy(UMSIM_COPY_HTOH, UMSIM_HOST_PAGEABLE, 1 << 20, 0);
    UM_EQUAL(host.engine, UMSIM_ENGINE_NONE);
    CU_ASSERT_TRUE(host.issue_ns > 0 && host.engine_ns == 0 && host.return_ns == 0 && !host.host_waits);
}

static void an_asynchronous_pinned_copy_costs_the_host_only_its_issue(void)
{
    load("h200-pcie5");
    for (uint64_t bytes = 1; bytes <= 1ull << 32; bytes *= 4) {
        struct umsim_copy_cost wait = copy(UMSIM_COPY_HTOD, UMSIM_HOST_PINNED, bytes, 0);
        struct umsim_copy_cost go = copy(UMSIM_COPY_HTOD, UMSIM_HOST_PINNED, bytes, 1);
        UM_EQUAL(go.issue_ns, (uint64_t)(1e3 * costs->copy_issue_us));
        UM_EQUAL(go.engine_ns, wait.engine_ns);
        UM_EQUAL(wait.issue_ns, go.issue_ns);
    }
}

/** Every path's parts add up to its table; more bytes never take less time. */
static void issue_engine_and_return_add_up_to_the_table_and_grow(void)
{
    static const char *const names[] = {"h200-pcie5", "limited", "tiny"};
    for (int p = 0; p < 3; p++) {
        load(names[p]);
        const struct umsim_curve *curves[2][3] = {
            {&costs->htod_pageable, &costs->htod_pinned, &costs->htod_write_combined},
            {&costs->dtoh_pageable, &costs->dtoh_pinned, &costs->dtoh_write_combined}};
        for (int i = 0; i < 6; i++) {
            uint64_t before = 0;
            for (uint64_t bytes = 1; bytes < 1ull << 34; bytes = bytes * 3 / 2 + 1) {
                struct umsim_copy_cost c = copy(i / 3 ? UMSIM_COPY_DTOH : UMSIM_COPY_HTOD, i % 3, bytes, 0);
                uint64_t whole = c.issue_ns + (c.host_waits ? c.engine_ns + c.return_ns : 0);
                double table = 1e3 * umsim_curve_us(curves[i / 3][i % 3], (double)bytes);
                CU_ASSERT_DOUBLE_EQUAL((double)whole, table, 2);
                CU_ASSERT_TRUE(whole >= before);
                before = whole;
            }
        }
    }
}

static uint64_t kernel(const struct umsim_traffic *traffic, size_t count, uint64_t blocks,
                       const struct umsim_paging_work *paging)
{
    struct umsim_kernel_work work = {.blocks = blocks,
                                     .threads_per_block = 256,
                                     .traffic = traffic,
                                     .traffic_count = count,
                                     .paging = paging};
    return umsim_cost_kernel(costs, &profile.attributes, &work);
}

static void both_ways_share_the_link_device_memory_works_meanwhile_one(void)
{
    load("h200-pcie5");
    const uint64_t n = 64 << 20;
    struct umsim_traffic t[] = {{UMSIM_MEMORY_MAPPED, n, 0, 0},
                                {UMSIM_MEMORY_MAPPED, 0, n, 0},
                                {UMSIM_MEMORY_DEVICE, n, 0, 0},
                                {UMSIM_MEMORY_MANAGED_RESIDENT, n, 0, 0},
                                {UMSIM_MEMORY_MANAGED_REMOTE, n, 0, 0}};
    uint64_t fixed = (uint64_t)(1e3 * costs->launch_start_us), in = kernel(&t[0], 1, 1, NULL);
    uint64_t out = kernel(&t[1], 1, 1, NULL), shared = kernel(t, 2, 1, NULL),
             full = kernel(t, 2, 1 << 20, NULL);
    /* Both ways at once take longer than either, less than one after the other; with one wave of blocks more
     * than with many, where the bytes of both together count. */
    CU_ASSERT_TRUE(in < full && out < full && full < shared && shared < in + out);
    CU_ASSERT_DOUBLE_EQUAL((double)full, 2.0 * (double)n / costs->mapped_both_gbs, 0.01 * (double)full);
    UM_EQUAL(kernel(t, 4, 1, NULL), shared); /* device memory meanwhile */
    double start = 1e3 * costs->mapped_start_us + costs->mapped_latency_ns;
    struct umsim_traffic twice[] = {t[0], t[4]};
    CU_ASSERT_DOUBLE_EQUAL((double)(kernel(twice, 2, 1, NULL) - fixed), 2.0 * (double)(in - fixed) - start,
                           2);
    uint64_t device = kernel(&t[2], 1, 1, NULL), managed = kernel(&t[3], 1, 1, NULL),
             both = kernel(&t[2], 2, 1, NULL);
    CU_ASSERT_DOUBLE_EQUAL((double)(both - fixed),
                           (double)(device + managed - 2 * fixed) - costs->device_latency_ns, 20);
    struct umsim_traffic chase[] = {{UMSIM_MEMORY_DEVICE, 0, 0, 1000}, {UMSIM_MEMORY_MAPPED, 0, 0, 1000}};
    CU_ASSERT_DOUBLE_EQUAL((double)(kernel(chase, 2, 1, NULL) - fixed),
                           1000 * (costs->device_latency_ns + costs->mapped_latency_ns), 2);
}

static void blocks_run_in_waves(void)
{
    load("h200-pcie5");
    uint64_t once = 132 * 8; /* 2048 threads a multiprocessor, 256 a block */
    uint64_t empty = kernel(NULL, 0, 1, NULL), fixed = (uint64_t)(1e3 * costs->launch_start_us);
    UM_EQUAL(empty, fixed + (uint64_t)(1e3 * costs->kernel_minimum_us));
    UM_EQUAL(kernel(NULL, 0, once * 10, NULL), fixed + (uint64_t)(10 * costs->block_ns));
    UM_EQUAL(kernel(NULL, 0, once * 10 + 1, NULL), fixed + (uint64_t)(11 * costs->block_ns));
    struct umsim_kernel_work shared = {.blocks = 132 * 10, /* one block a multiprocessor */
                                       .threads_per_block = 256,
                                       .shared_bytes_per_block = 200000};
    UM_EQUAL(umsim_cost_kernel(costs, &profile.attributes, &shared),
             fixed + (uint64_t)(10 * costs->block_ns));
    struct umsim_kernel_work nothing = {.blocks = 0};
    UM_EQUAL(umsim_cost_kernel(costs, &profile.attributes, &nothing), empty);
}

static void many_blocks_and_many_bytes_hide_each_other_in_part(void)
{
    load("h200-pcie5");
    struct umsim_traffic traffic = {UMSIM_MEMORY_DEVICE, 1 << 28, 0, 0};
    uint64_t fixed = (uint64_t)(1e3 * costs->launch_start_us), blocks = 1 << 18;
    double bytes = (double)(kernel(&traffic, 1, 1, NULL) - fixed),
           waves = (double)(kernel(NULL, 0, blocks, NULL) - fixed);
    double both = (double)(kernel(&traffic, 1, blocks, NULL) - fixed);
    CU_ASSERT_TRUE(both > bytes && both > waves && both < bytes + waves);
}

static void a_kernel_that_touches_more_of_its_pages_waits_longer_for_them(void)
{
    load("h200-pcie5");
    struct umsim_paging_work work = {
        .gpu_fault_groups = 3, .gpu_fault_batches = 2, .bytes_htod = 2 << 20, .device_pages_populated = 512};
    uint64_t before = 0;
    for (uint64_t touches = 32; touches <= 32 * 256; touches *= 4) {
        struct umsim_traffic traffic = {UMSIM_MEMORY_MANAGED_RESIDENT, 0, 32 * touches, 0};
        uint64_t now = kernel(&traffic, 1, 1, &work);
        CU_ASSERT_TRUE(now > before);
        before = now;
    }
    struct umsim_traffic all = {UMSIM_MEMORY_MANAGED_RESIDENT, 0, 2 << 20, 0},
                         sparse = {UMSIM_MEMORY_DEVICE, 0, 64, 0};
    CU_ASSERT_TRUE(kernel(&all, 1, 1, &work) < before + before / 10);
    CU_ASSERT_DOUBLE_EQUAL((double)(kernel(&sparse, 1, 1, &work) - kernel(&sparse, 1, 1, NULL)),
                           (double)umsim_cost_gpu_faults(costs, &work), 1);
}

static void host_memory_costs_more_once_the_caches_are_full(void)
{
    load("h200-pcie5");
    struct umsim_paging_work little = {
        .cpu_faults = 1, .host_pages_populated = 16, .host_pages_cleared = 512, .host_bytes = 2 << 20};
    struct umsim_paging_work much = little, none = little;
    much.host_bytes = 1 << 28;
    none.host_pages_cleared = 0;
    uint64_t fault = umsim_cost_cpu_faults(costs, &none), first = umsim_cost_cpu_faults(costs, &little);
    CU_ASSERT_TRUE(first > fault && umsim_cost_cpu_faults(costs, &much) > 2 * first);
    struct umsim_paging_work moving = {.cpu_faults = 1, .bytes_dtoh = 65536, .transfers_dtoh = 2};
    CU_ASSERT_TRUE(umsim_cost_cpu_faults(costs, &moving) > fault); /* the GPU has to be asked */
}

static void advice_costs_what_it_changes(void)
{
    load("h200-pcie5");
    UM_EQUAL(umsim_cost_advice(costs, 0, 0), 0);
    CU_ASSERT_TRUE(umsim_cost_advice(costs, 100, 0) > umsim_cost_advice(costs, 10, 0));
    CU_ASSERT_TRUE(umsim_cost_advice(costs, 0, 100) > umsim_cost_advice(costs, 0, 10));
    UM_EQUAL(umsim_cost_release(costs, 0), 0);
    CU_ASSERT_TRUE(umsim_cost_release(costs, 512) > 0);
}

static void paging_is_added_to_a_kernel(void)
{
    load("h200-pcie5");
    struct umsim_traffic traffic = {UMSIM_MEMORY_MANAGED_RESIDENT, 1 << 20, 0, 0};
    struct umsim_paging_work work = {.gpu_fault_groups = 6, .gpu_fault_batches = 2, .bytes_htod = 1 << 20};
    uint64_t without = kernel(&traffic, 1, 1, NULL), with = kernel(&traffic, 1, 1, &work);
    CU_ASSERT_DOUBLE_EQUAL((double)(with - without), (double)umsim_cost_gpu_faults(costs, &work), 1);
    struct umsim_paging_work idle = work, none = {0};
    idle.first = 1;
    UM_EQUAL(umsim_cost_gpu_faults(costs, &idle) - umsim_cost_gpu_faults(costs, &work), 280000);
    UM_EQUAL(umsim_cost_gpu_faults(costs, &none), 0);
    UM_EQUAL(umsim_cost_cpu_faults(costs, &none), 0);
    UM_EQUAL(kernel(&traffic, 1, 1, &none), without);
}

static void the_fault_handler_falls_asleep_and_waking_it_costs(void)
{
    struct umsim_handler handler = {0};
    load("h200-pcie5");
    const uint64_t awake = (uint64_t)(costs->gpu_fault_awake_us * 1e3);
    CU_ASSERT_TRUE(awake > 0 && umsim_handler_sleeps(&handler, 0)); /* a program's first fault wakes it */
    umsim_handler_served(&handler, costs, 5000);
    CU_ASSERT_TRUE(!umsim_handler_sleeps(&handler, 5000 + awake - 1) &&
                   umsim_handler_sleeps(&handler, 5000 + awake));
    umsim_handler_served(&handler, costs, 4000); /* what ended before the last one tells nothing new */
    CU_ASSERT_TRUE(!umsim_handler_sleeps(&handler, 5000 + awake - 1));
}

static void every_count_of_paging_costs_something(void)
{
    load("h200-pcie5");
    struct umsim_paging_work cpu[] = {{.cpu_faults = 9},
                                      {.host_pages_populated = 9},
                                      {.bytes_dtoh = 4096},
                                      {.transfers_dtoh = 9},
                                      {.evictions = 9}};
    struct umsim_paging_work gpu[] = {
        {.gpu_fault_groups = 9}, {.gpu_fault_batches = 9},      {.bytes_htod = 4096},
        {.transfers_htod = 9},   {.device_pages_populated = 9}, {.remote_pages_mapped = 9},
        {.evictions = 9},        {.bytes_dtoh = 4096}};
    for (size_t i = 0; i < sizeof cpu / sizeof *cpu; i++)
        CU_ASSERT_TRUE(umsim_cost_cpu_faults(costs, &cpu[i]) > 0);
    for (size_t i = 0; i < sizeof gpu / sizeof *gpu; i++)
        CU_ASSERT_TRUE(umsim_cost_gpu_faults(costs, &gpu[i]) > 0);
}

static void a_prefetch_occupies_the_engine_of_its_direction(void)
{
    load("h200-pcie5");
    struct umsim_paging_work in = {.prefetch = 1, .bytes_htod = 1 << 20, .device_pages_populated = 256};
    struct umsim_paging_work again = {.prefetch = 1}, fresh = {.prefetch = 1, .host_pages_populated = 256};
    struct umsim_copy_cost cost = umsim_cost_prefetch(costs, 1 << 20, &in, 0),
                           none = umsim_cost_prefetch(costs, 1 << 20, &again, 0);
    UM_EQUAL(cost.engine, UMSIM_ENGINE_COPY_HTOD);
    UM_EQUAL(cost.host_waits, 0);
    UM_EQUAL(
        cost.issue_ns + cost.engine_ns + cost.return_ns,
        (uint64_t)(1e3 * umsim_curve_us(&costs->prefetch_htod, 1 << 20) + 0.5)); /* population goes along */
    UM_EQUAL(none.engine_ns, 0);
    UM_EQUAL(none.issue_ns, cost.issue_ns);
    struct umsim_copy_cost home = umsim_cost_prefetch(costs, 1 << 20, &fresh, 1);
    UM_EQUAL(home.engine, UMSIM_ENGINE_COPY_DTOH);
    UM_EQUAL(home.engine_ns, (uint64_t)(256 * 1e3 * costs->cpu_populate_us + 0.5));
}

static void every_call_costs_something(void)
{
    load("h200-pcie5");
    for (int call = 0; call < UMSIM_CALLS; call++)
        CU_ASSERT_TRUE(umsim_cost_call(costs, call) > 0);
    for (int call = 0; call < UMSIM_ALLOCATIONS; call++)
        CU_ASSERT_TRUE(umsim_cost_allocation(costs, call, 1 << 20) > 0);
    UM_EQUAL(umsim_cost_call(costs, UMSIM_CALLS), 0);
    UM_EQUAL(umsim_cost_allocation(costs, UMSIM_ALLOCATIONS, 1), 0);
    CU_ASSERT_TRUE(umsim_cost_event_device(costs) > 0 && umsim_cost_host_function_start(costs) > 0);
    CU_ASSERT_TRUE(umsim_cost_host_memset(costs, 1 << 20) > 0);
}

static void absurd_sizes_do_not_overflow(void)
{
    load("tiny");
    struct umsim_traffic all = {UMSIM_MEMORY_MAPPED, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    CU_ASSERT_TRUE(kernel(&all, 1, UINT64_MAX, NULL) <= 1ull << 53);
    CU_ASSERT_TRUE(umsim_cost_allocation(costs, UMSIM_MALLOC_HOST, UINT64_MAX) <= 1ull << 53);
    struct umsim_copy_cost c = copy(UMSIM_COPY_DTOH, UMSIM_HOST_PAGEABLE, UINT64_MAX, 0);
    CU_ASSERT_TRUE(c.engine_ns <= 1ull << 53 && c.return_ns <= 1ull << 53);
}

UM_TESTS("model: cost rules",
         {"a table is straight between its points", a_table_is_straight_between_its_points},
         {"who waits for a copy is CUDA's documented rule", who_waits_for_a_copy_is_CUDAs_documented_rule},
         {"small allocations share chunks", small_allocations_share_chunks},
         {"a chain's neighbours come along", a_chains_neighbours_come_along},
         {"an asynchronous pinned copy costs the host only its issue",
          an_asynchronous_pinned_copy_costs_the_host_only_its_issue},
         {"issue, engine and return add up to the table, and grow with the size",
          issue_engine_and_return_add_up_to_the_table_and_grow},
         {"both ways share the link, device memory works meanwhile; one memory's traffic adds up",
          both_ways_share_the_link_device_memory_works_meanwhile_one},
         {"many blocks and many bytes hide each other in part",
          many_blocks_and_many_bytes_hide_each_other_in_part},
         {"a kernel that touches more of its pages waits longer for them",
          a_kernel_that_touches_more_of_its_pages_waits_longer_for_them},
         {"host memory costs more once the caches are full", host_memory_costs_more_once_the_caches_are_full},
         {"advice costs what it changes", advice_costs_what_it_changes},
         {"blocks run in waves", blocks_run_in_waves},
         {"paging is added to a kernel", paging_is_added_to_a_kernel},
         {"the fault handler falls asleep, and waking it costs",
          the_fault_handler_falls_asleep_and_waking_it_costs},
         {"every count of paging costs something", every_count_of_paging_costs_something},
         {"a prefetch occupies the engine of its direction", a_prefetch_occupies_the_engine_of_its_direction},
         {"every call costs something", every_call_costs_something},
         {"absurd sizes do not overflow", absurd_sizes_do_not_overflow});
