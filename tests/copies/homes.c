/**
 * @file homes.c
 * @brief Tests of common/um_homes.h and um_copy_by_kernel(): the data goes there and back, and no page
 * changes hands for it.
 */
#include "kernels.h"
#include "um_counters.h"
#include "um_cuda_compat.h"
#include "um_homes.h"
#include "um_result.h"
#include "um_test.h"
#ifdef UMLAB_SIM
#include "umsim.h"
#endif

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t MIB = (size_t)1 << 20;

static void need_concurrent_access(void)
{
    if (!um_attribute(cudaDevAttrConcurrentManagedAccess, 0, 0))
        UM_SKIP("this device has no concurrent managed access");
}

static void data_goes_there_and_back_between_two_homes(void)
{
    static const size_t sizes[] = {1, 15, 16, 17, 4096, 65536 + 7, (3 << 20) + 5};
    need_concurrent_access();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t bytes = sizes[s];
        struct um_homes x;
        UM_EQUAL(um_homes_create(&x, bytes), cudaSuccess);
        unsigned char *host = x.host;
        for (size_t i = 0; i < bytes; i++)
            host[i] = (unsigned char)(i * 7 + s);
        UM_EQUAL(um_copy_by_kernel(x.device, x.host, bytes, NULL), cudaSuccess);
        UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        memset(host, 0, bytes);
        UM_EQUAL(um_copy_by_kernel(x.host, x.device, bytes, NULL), cudaSuccess);
        UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        size_t wrong = 0;
        for (size_t i = 0; i < bytes; i++)
            wrong += host[i] != (unsigned char)(i * 7 + s);
        UM_EQUAL(wrong, 0);
        um_homes_destroy(&x);
        CU_ASSERT_TRUE(!x.host && !x.device);
    }
}

static void a_copy_by_a_kernel_may_begin_and_end_anywhere(void)
{
    enum { BYTES = 3000 };
    unsigned char *d = NULL, sent[BYTES], got[BYTES];
    UM_EQUAL(cudaMalloc((void **)&d, (size_t)2 * BYTES), cudaSuccess);
    for (int i = 0; i < BYTES; i++)
        sent[i] = (unsigned char)(i * 31);
    UM_EQUAL(cudaMemcpy(d, sent, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    for (size_t from = 0; from <= 17; from += 1 + (from == 1) * 14)
        for (size_t to = 0; to <= 16; to += 8) {
            const size_t bytes = BYTES - 100 - from;
            UM_EQUAL(cudaMemset(d + BYTES, 0xee, BYTES), cudaSuccess);
            UM_EQUAL(um_copy_by_kernel(d + BYTES + to, d + from, bytes, NULL), cudaSuccess);
            UM_EQUAL(cudaMemcpy(got, d + BYTES, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
            if (memcmp(got + to, sent + from, bytes) != 0 || got[to + bytes] != 0xee ||
                (to && got[to - 1] != 0xee))
                UM_FAIL("%zu bytes from +%zu to +%zu did not arrive, or more did", bytes, from, to);
        }
    UM_EQUAL(um_copy_by_kernel(d, d + BYTES, 0, NULL), cudaSuccess);
    cudaFree(d);
}

static void a_copy_between_two_homes_moves_no_page_and_makes_nobody_fault(void)
{
    const size_t bytes = 16 * MIB;
    struct um_homes x;
    need_concurrent_access();
    UM_EQUAL(um_homes_create(&x, bytes), cudaSuccess);
    memset(x.host, 1, bytes);
    const struct um_counters before = um_counters_now();
    UM_EQUAL(um_copy_by_kernel(x.device, x.host, bytes, NULL), cudaSuccess);
    UM_EQUAL(um_copy_by_kernel(x.host, x.device, bytes, NULL), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    memset(x.host, 2, bytes);
    const struct um_counters moved = um_counters_difference(before, um_counters_now());
    um_homes_destroy(&x);
    if (moved.cpu_faults == UM_NONE)
        UM_SKIP("the counts of managed memory are not to be had here");
    UM_EQUAL(moved.cpu_faults, 0);
    UM_EQUAL(moved.gpu_fault_groups, 0);
    UM_EQUAL(moved.bytes_migrated_h2d, 0);
    UM_EQUAL(moved.bytes_migrated_d2h, 0);
}

static void cudaMemcpy_takes_the_hosts_home_for_pageable_memory(void)
{
#ifdef UMLAB_SIM
    const size_t bytes = 16 * MIB;
    struct um_homes x;
    UM_EQUAL(um_homes_create(&x, bytes), cudaSuccess);
    const uint64_t before = umsim_time_ns();
    UM_EQUAL(um_copy_by_kernel(x.host, x.device, bytes, NULL), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    const uint64_t between = umsim_time_ns();
    UM_EQUAL(cudaMemcpy(x.host, x.device, bytes, cudaMemcpyDefault), cudaSuccess);
    const uint64_t after = umsim_time_ns();
    /* 256 MiB on an H200: 52.5 and 14.6 GB/s */
    if (after - between < 2 * (between - before))
        UM_FAIL("%llu ns by a kernel, %llu by cudaMemcpy", (unsigned long long)(between - before),
                (unsigned long long)(after - between));
    um_homes_destroy(&x);
#else
    UM_SKIP("a time; measured in tests/copies/measured");
#endif
}

static void a_pair_of_nothing_is_nothing_and_of_too_much_leaves_nothing(void)
{
    struct um_homes x = {(void *)1, (void *)1, 1};
    UM_EQUAL(um_homes_create(&x, 0), cudaSuccess);
    CU_ASSERT_TRUE(!x.host && !x.device);
    um_homes_destroy(&x);
    CU_ASSERT_NOT_EQUAL(um_homes_create(&x, (size_t)1 << 50), cudaSuccess);
    CU_ASSERT_TRUE(!x.host && !x.device);
    (void)cudaGetLastError();
}

static void each_page_is_touched_once_whatever_the_threads(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t sizes[] = {0, 1, page, page + 1, 10 * page + 1};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int threads = 0; threads <= 5; threads++) {
            const size_t bytes = sizes[s], capacity = 16 * page;
            unsigned char *memory = aligned_alloc(page, capacity);
            size_t touched = 0;
            memset(memory, 1, capacity);
            um_touch_pages(memory, bytes, threads);
            for (size_t i = 0; i < capacity; i++)
                if (memory[i] == 0 && (i % page != 0 || i >= bytes))
                    UM_FAIL("%zu bytes, %d threads: byte %zu was written", bytes, threads, i);
                else
                    touched += memory[i] == 0;
            UM_EQUAL(touched, (bytes + page - 1) / page);
            free(memory);
        }
}

UM_TESTS("homes", {"data goes there and back between two homes", data_goes_there_and_back_between_two_homes},
         {"a copy by a kernel may begin and end anywhere", a_copy_by_a_kernel_may_begin_and_end_anywhere},
         {"a copy between two homes moves no page and makes nobody fault",
          a_copy_between_two_homes_moves_no_page_and_makes_nobody_fault},
         {"cudaMemcpy takes the host's home for pageable memory",
          cudaMemcpy_takes_the_hosts_home_for_pageable_memory},
         {"a pair of nothing is nothing, and of too much leaves nothing behind",
          a_pair_of_nothing_is_nothing_and_of_too_much_leaves_nothing},
         {"each page is touched once, whatever the threads", each_page_is_touched_once_whatever_the_threads});
