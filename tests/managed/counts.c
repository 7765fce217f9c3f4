/**
 * @file counts.c
 * @brief How many bytes and faults a touch takes. An H200's numbers (driver 580, CUDA 13.0, CUPTI's
 * counters).
 */
#include <string.h>

#include "kernels.h"
#include "kernels_here.h"
#include "moves.h"

#define LARGE (256 * MiB)

static void a_host_walk_of_256_MiB_that_nobody_touched_takes_768_faults(void)
{
    char *p = managed(LARGE);

    MOVES(0, 0, 768, 0, host_writes(p, LARGE));
    MOVES(0, 0, 0, 0, host_writes(p, LARGE));
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

static void a_host_walk_of_256_MiB_that_the_GPU_has_takes_768_faults(void)
{
    char *p = managed(LARGE);

    MOVES(0, 0, 0, SOME, gpu_writes(p, LARGE));
    MOVES(0, 268435456, 768, 0, host_reads(p, LARGE));
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* The fault's 64 KiB, wherever in them the byte is; and the way back. */
static void one_byte_touched_by_the_GPU_moves_65536_bytes_in_one_fault(void)
{
    unsigned char *p = managed_on_host(4 * MiB);
    const size_t places[] = {0, 64 * KiB - 1, 2 * MiB + 300 * KiB, 4 * MiB - 1};

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        MOVES(65536, 0, 0, 1, CU_ASSERT_EQUAL(um_page_write(p + places[i], 1, 1, 9, 0), cudaSuccess));
        MOVES(0, 65536, 1, 0, UM_EQUAL(((volatile unsigned char *)p)[places[i]], 9));
    }
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

static void an_allocation_of_1_byte_moves_65536_too(void)
{
    unsigned char *p = managed_on_host(1);

    MOVES(65536, 0, 0, 1, CU_ASSERT_EQUAL(um_page_write(p, 1, 1, 9, 0), cudaSuccess));
    MOVES(0, 65536, 1, 0, UM_EQUAL(*(volatile unsigned char *)p, 9));
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

/* 4096 allocations of 16 bytes stand 512 bytes apart: 2 MiB, which move as one large allocation of that size.
 */
static void small_allocations_share_pages_and_keep_to_themselves(void)
{
    enum { COUNT = 4096 };
    static char *p[COUNT];

    for (int i = 0; i < COUNT; i++) {
        p[i] = managed(16);
        CU_ASSERT_EQUAL((uintptr_t)p[i] % 512, 0);
        *p[i] = 1;
    }
    MOVES(65536, 0, 0, 1, CU_ASSERT_EQUAL(um_page_write((unsigned char *)p[0], 1, 1, 9, 0), cudaSuccess));
    MOVES(0, 65536, 1, 0, UM_EQUAL(*(volatile char *)p[0], 9));
    MOVES(0, 0, 0, 0, host_reads(p[COUNT - 1], 16));
    for (int i = 0; i < COUNT; i += 2)
        CU_ASSERT_EQUAL(cudaFree(p[i]), cudaSuccess);
    for (int i = 1; i < COUNT; i += 2) { /* the others have kept what they hold */
        UM_EQUAL(*(volatile char *)p[i], 1);
        CU_ASSERT_EQUAL(cudaFree(p[i]), cudaSuccess);
    }
}

static void a_walk_backwards_takes_as_many_faults_as_one_forwards(void)
{
    volatile char *p = managed_on_device(8 * MiB);

    MOVES(0, 8 * MiB, 24, 0, for (size_t i = 8 * MiB; i > 0; i -= KiB) p[i - 1] = 2);
    CU_ASSERT_EQUAL(cudaFree((void *)p), cudaSuccess);
}

/* One touch in each 64 KiB brings the same neighbours as touching all of them. */
static void a_walk_in_strides_of_64_KiB_takes_as_many_faults_as_a_dense_one(void)
{
    volatile char *p = managed_on_device(8 * MiB);

    MOVES(0, 8 * MiB, 24, 0, for (size_t i = 0; i < 8 * MiB; i += 64 * KiB) p[i] = 2);
    CU_ASSERT_EQUAL(cudaFree((void *)p), cudaSuccess);
}

static void one_touch_in_each_2_MiB_moves_64_KiB_of_each(void)
{
    volatile char *p = managed_on_device(16 * MiB);

    MOVES(0, 8 * 65536, 8, 0, for (size_t i = 0; i < 16 * MiB; i += BLOCK) p[i + MiB] = 2);
    CU_ASSERT_EQUAL(cudaFree((void *)p), cudaSuccess);
}

/* Chunks of 2 MiB are taken out of what is free while pages are in them; cudaMalloc may have them all the
 * same. */
static void cudaMemGetInfo_managed_pages_on_the_device_are_not_free(void)
{
    size_t at_first, now, total;
    char *p = managed_on_host(16 * MiB), *q = NULL;

    CU_ASSERT_EQUAL(cudaMemGetInfo(&at_first, &total), cudaSuccess);
    gpu_reads(p, 8 * MiB);
    CU_ASSERT_EQUAL(cudaMemGetInfo(&now, &total), cudaSuccess);
    UM_EQUAL(at_first - now, 8 * MiB);
    gpu_reads(p + 8 * MiB, 64 * KiB);
    CU_ASSERT_EQUAL(cudaMemGetInfo(&now, &total), cudaSuccess);
    UM_EQUAL(at_first - now, 10 * MiB);
    CU_ASSERT_EQUAL(cudaMalloc((void **)&q, at_first), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemGetInfo(&now, &total), cudaSuccess);
    UM_EQUAL(now, 0);
    CU_ASSERT_EQUAL(cudaFree(q), cudaSuccess);
    gpu_reads(p, 16 * MiB);
    host_reads(p, 4 * MiB);
    CU_ASSERT_EQUAL(cudaMemGetInfo(&now, &total), cudaSuccess);
    UM_EQUAL(at_first - now, 12 * MiB);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemGetInfo(&now, &total), cudaSuccess);
    UM_EQUAL(now, at_first);
}

/* A kernel that declares nothing has its time from an earlier launch, its pages always from itself: the
 * places that it touches are other ones in each turn, while it is launched with the same bytes. */
static void a_launch_that_takes_over_an_earlier_ones_time_has_its_own_pages(void)
{
    enum { PLACES = 4, TURNS = 12 };
    int *x = managed_on_host(32 * MiB);
    uint32_t at[PLACES], *d_at;

    memset(x, 0, 32 * MiB);
    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_at, sizeof at), cudaSuccess);
    for (size_t turn = 0; turn < TURNS; turn++) {
        const size_t places = 1 + turn % PLACES;

        for (size_t i = 0; i < PLACES; i++) /* in as many blocks as the turn has places */
            at[i] = (uint32_t)((i % places * 2 * MiB + turn * 64 * KiB) / sizeof *x + i);
        CU_ASSERT_EQUAL(cudaMemcpy(d_at, at, sizeof at, cudaMemcpyHostToDevice), cudaSuccess);
        MOVES(places * 65536, 0, 0, SOME, {
            CU_ASSERT_EQUAL(here_add_at(x, 8 * MiB, d_at, PLACES, 1, false, 0), cudaSuccess);
            CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
        });
        MOVES(0, places * 65536, places, 0, {
            for (size_t i = 0; i < PLACES; i++)
                UM_EQUAL(((volatile int *)x)[at[i]], 1);
        });
    }
    CU_ASSERT_EQUAL(cudaFree(d_at), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

UM_TESTS("counts",
         {"a host walk of 256 MiB that nobody touched takes 768 faults and moves nothing",
          a_host_walk_of_256_MiB_that_nobody_touched_takes_768_faults},
         {"a host walk of 256 MiB that the GPU has takes 768 faults and moves 268,435,456 bytes",
          a_host_walk_of_256_MiB_that_the_GPU_has_takes_768_faults},
         {"one byte touched by the GPU moves 65,536 bytes in one fault group, and one back the same",
          one_byte_touched_by_the_GPU_moves_65536_bytes_in_one_fault},
         {"an allocation of 1 byte moves 65,536, too", an_allocation_of_1_byte_moves_65536_too},
         {"small allocations share pages, and keep to themselves",
          small_allocations_share_pages_and_keep_to_themselves},
         {"a walk backwards takes as many faults as one forwards",
          a_walk_backwards_takes_as_many_faults_as_one_forwards},
         {"a walk in strides of 64 KiB takes as many faults as a dense one",
          a_walk_in_strides_of_64_KiB_takes_as_many_faults_as_a_dense_one},
         {"one touch in each 2 MiB moves 64 KiB of each", one_touch_in_each_2_MiB_moves_64_KiB_of_each},
         {"a launch that takes over an earlier one's time has its own pages counted",
          a_launch_that_takes_over_an_earlier_ones_time_has_its_own_pages},
         {"cudaMemGetInfo: managed pages on the device are not free; cudaMalloc may have them",
          cudaMemGetInfo_managed_pages_on_the_device_are_not_free});
