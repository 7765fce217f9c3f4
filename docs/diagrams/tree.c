/**
 * @file tree.c
 * @brief Asks the paging policy (sim/uvm) what it does for a few small examples, and prints its answers as
 * JSON.
 *
 * docs/diagrams/draw.py draws them. A step is one touch by the host of one page: whether it was a fault, and
 * which 4 KiB pages are there afterwards, as runs [first, outer). No memory stands behind the addresses.
 */
#include "uvm/uvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE ((uintptr_t)0x7c0000000000)
#define BLOCKS 4

static struct uvm_system machine;
static struct uvm_space *space;

static void fresh(size_t bytes)
{
    size_t used = (uvm_space_bytes(BLOCKS) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, used);

    if (!memory)
        abort();
    memset(memory, 0, used);
    uvm_system_init(&machine, 1, UVM_NO_LINK, BLOCKS);
    space = uvm_space_init(memory, &machine, BASE, BLOCKS);
    if (uvm_range_create(space, BASE, bytes) != UVM_OK)
        abort();
}

static void print_runs(unsigned pages)
{
    const struct uvm_mask *there = uvm_grants(space, UVM_CPU, 0, true);
    const char *comma = "";

    printf("[");
    for (unsigned page = 0; page < pages;) {
        unsigned first = page;
        while (page < pages && there->word[page / 64] >> page % 64 & 1)
            page++;
        if (page > first) {
            printf("%s[%u, %u]", comma, first, page);
            comma = ", ";
        } else {
            page++;
        }
    }
    printf("]");
}

/* Touches pages in the given order, and prints each touch that was a fault. */
static void example(const char *name, size_t bytes, const unsigned *pages, unsigned count, const char *end)
{
    const char *comma = "";

    fresh(bytes);
    printf("  \"%s\": {\"pages\": %zu, \"steps\": [", name, bytes / UVM_PAGE_BYTES);
    for (unsigned i = 0; i < count; i++) {
        struct uvm_delta delta = {0};
        if (uvm_cpu_fault(space, BASE + pages[i] * UVM_PAGE_BYTES, true, &delta) != UVM_OK)
            continue;
        printf("%s\n    {\"page\": %u, \"there\": ", comma, pages[i]);
        print_runs((unsigned)(bytes / UVM_PAGE_BYTES));
        printf("}");
        comma = ",";
    }
    printf("]}%s\n", end);
    free(space);
}

int main(void)
{
    static unsigned all[UVM_PAGES_PER_BLOCK];
    /* 64 KiB pieces 0, 2, 1 of the block: half of 256 KiB is not enough, three quarters are. */
    static const unsigned half[] = {0, 32, 16};
    /* One page in each 512 KiB. */
    static const unsigned sparse[] = {0, 128, 256, 384};

    for (unsigned page = 0; page < UVM_PAGES_PER_BLOCK; page++)
        all[page] = page;
    printf("{\n");
    example("walk", UVM_VA_BLOCK_BYTES, all, UVM_PAGES_PER_BLOCK, ",");
    example("half", UVM_VA_BLOCK_BYTES, half, sizeof half / sizeof *half, ",");
    example("sparse", UVM_VA_BLOCK_BYTES, sparse, sizeof sparse / sizeof *sparse, "");
    printf("}\n");
    return 0;
}
