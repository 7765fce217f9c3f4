/**
 * @file uvm_fixture.h
 * @brief A managed arena for tests of the paging policy, and the steps that tests are made of.
 *
 * A test calls fresh(), then allocates, walks, launches; each step returns what it counted. Addresses are
 * plain numbers: no memory stands behind them.
 */
#ifndef UVM_FIXTURE_H
#define UVM_FIXTURE_H

#include "um_test.h"
#include "uvm/uvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KiB ((size_t)1024)
#define MiB (KiB * 1024)
#define BASE ((uintptr_t)0x7c0000000000)
#define ARENA_BLOCKS 512
#define PLENTY ((uint64_t)1 << 20)

static struct uvm_system machine;
static struct uvm_space *space;

/* A new arena, nothing in it, with `chunks` chunks of device memory. */
static inline void fresh(uint64_t chunks)
{
    static void *memory;
    size_t bytes = (uvm_space_bytes(ARENA_BLOCKS) + 63) / 64 * 64;

    if (!memory)
        memory = aligned_alloc(64, bytes);
    if (!memory)
        abort();
    memset(memory, 0, bytes);
    uvm_system_init(&machine, 1, UVM_NO_LINK, chunks);
    space = uvm_space_init(memory, &machine, BASE, ARENA_BLOCKS);
}

/* A new arena with one allocation at its start. */
static inline uintptr_t fresh_allocation(size_t bytes)
{
    fresh(PLENTY);
    CU_ASSERT_EQUAL_FATAL(uvm_range_create(space, BASE, bytes), UVM_OK);
    return BASE;
}

/* The host touches every page in order. */
static inline struct uvm_delta walk(uintptr_t start, size_t bytes, bool is_write)
{
    struct uvm_delta delta = {0};

    for (uintptr_t p = start; p < start + bytes; p += UVM_PAGE_BYTES) {
        enum uvm_status status = uvm_cpu_fault(space, p, is_write, &delta);
        if (status != UVM_OK && status != UVM_ALREADY_GRANTED)
            UM_FAIL("host touch of page %zu: status %d", (size_t)(p - start) / UVM_PAGE_BYTES, (int)status);
    }
    return delta;
}

/* A launch on an H200: 132 multiprocessors of 2048 threads, 32 blocks. */
static inline struct uvm_launch h200_launch(uint64_t blocks, uint32_t threads_per_block)
{
    const uint32_t fit = 2048 / threads_per_block;
    return (struct uvm_launch){.blocks = blocks,
                               .threads_per_block = threads_per_block,
                               .multiprocessors = 132,
                               .blocks_at_once = fit < 32 ? fit : 32};
}

/* A kernel touches every page, and retires. */
static inline struct uvm_delta kernel_launched(const struct uvm_launch *launch, uintptr_t start, size_t bytes,
                                               bool is_write)
{
    struct uvm_delta delta = {0};
    enum uvm_status status = uvm_gpu_touch_pages(space, UVM_GPU, start, bytes, is_write);

    CU_ASSERT(status == UVM_OK || status == UVM_ALREADY_GRANTED);
    CU_ASSERT_EQUAL(uvm_gpu_replay(space, UVM_GPU, launch, &delta), UVM_OK);
    for (uintptr_t p = start; p < start + bytes; p += UVM_PAGE_BYTES)
        if (uvm_gpu_touched(space, p))
            UM_FAIL("page %zu is still marked", (size_t)(p - start) / UVM_PAGE_BYTES);
    return delta;
}

/* ... of a launch of which nothing is known. */
static inline struct uvm_delta kernel(uintptr_t start, size_t bytes, bool is_write)
{
    return kernel_launched(NULL, start, bytes, is_write);
}

static inline struct uvm_delta prefetch(uintptr_t start, size_t bytes, enum uvm_processor destination)
{
    struct uvm_delta delta = {0};
    CU_ASSERT_EQUAL(uvm_prefetch(space, start, bytes, destination, &delta), UVM_OK);
    return delta;
}

static inline struct uvm_delta advise(uintptr_t start, size_t bytes, enum uvm_advice advice,
                                      enum uvm_processor processor)
{
    struct uvm_delta delta = {0};
    CU_ASSERT_EQUAL(uvm_advise(space, start, bytes, advice, processor, &delta), UVM_OK);
    return delta;
}

/* Bytes each way and CPU faults: what the hardware repeats exactly. */
#define COUNTS(delta_, htod_, dtoh_, cpu_faults_)                                                            \
    do {                                                                                                     \
        struct uvm_delta counted_ = (delta_);                                                                \
        UM_EQUAL(uvm_delta_bytes(&counted_, UVM_HTOD), (htod_));                                             \
        UM_EQUAL(uvm_delta_bytes(&counted_, UVM_DTOH), (dtoh_));                                             \
        UM_EQUAL(counted_.cpu_faults, (cpu_faults_));                                                        \
    } while (0)

/* For groups that an H200 counted: its host had pages of 4 KiB, and with others as many are not expected. */
static inline void ask_only_with_the_H200s_pages(void)
{
    if (UVM_PAGE_BYTES != 4 * KiB)
        UM_SKIP("the H200's host had pages of 4 KiB, and these have %zu", UVM_PAGE_BYTES);
}

/* Beside the hardware's figure. */
static inline void show_groups(const char *step, const struct uvm_delta *delta, unsigned hardware)
{
    printf("      %-48s %5llu GPU fault groups (H200: %u)\n", step,
           (unsigned long long)delta->gpu_fault_groups, hardware);
}

#endif
