/**
 * @file turns.cu
 * @brief Cells of turns: host and GPU have the same memory by turns, many times. Memory that goes to and fro
 * fast enough thrashes (sim/uvm/thrash.c), so what a turn takes depends on the turns before.
 *
 * A cell is the mean of a turn over some rounds of one game: the first ten, the next twenty, and so on.
 */
#include "cells.h"

#include <vector>

/** One game: `words` words of `bytes` bytes, evenly spread; all of them: the kernel adds to each, the host
 * writes each. */
struct game {
    const char *name;
    size_t bytes, words;
    unsigned gap_us;
    int rounds, games;
};

static const struct game games[] = {
    {"64K dense", 64 * KIB, 16 * KIB, 0, 150, 5},
    {"1M dense", MIB, MIB / 4, 0, 150, 5},
    {"2M dense", 2 * MIB, MIB / 2, 0, 150, 5},
    {"4M dense", 4 * MIB, MIB, 0, 150, 5},
    {"16M dense", 16 * MIB, 4 * MIB, 0, 40, 5},
    {"4M dense 600 us apart", 4 * MIB, MIB, 600, 40, 5},
    {"4K one word", 4 * KIB, 1, 0, 150, 7},
    {"64K a word a page", 64 * KIB, 16, 0, 150, 7},
    {"2M a word a page", 2 * MIB, 512, 0, 300, 5},
    {"2M a word a page 100 us apart", 2 * MIB, 512, 100, 60, 5},
    {"2M a word a page 250 us apart", 2 * MIB, 512, 250, 60, 5},
    {"2M a word a page 600 us apart", 2 * MIB, 512, 600, 40, 5},
    {"2M 32 words", 2 * MIB, 32, 0, 300, 5},
    {"4M a word a page", 4 * MIB, 1024, 0, 150, 5},
    {"16M a word a page", 16 * MIB, 4096, 0, 60, 5},
};

static const int until[] = {1, 10, 30, 60, 150, 300};

__global__ void write_words(int *p, size_t step, size_t n, int value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i * step] = value;
}

static void host_turn(int *p, const struct game *g, int round)
{
    const size_t step = g->bytes / g->words / sizeof(int);
    for (size_t i = 0; i < g->words; i++)
        ((volatile int *)p)[i * step] = 2 * round;
    host_worked(step < PAGE_WORDS ? g->bytes / 4096 : g->words, g->words);
}

static void gpu_turn(int *p, const struct game *g, int round)
{
    const size_t step = g->bytes / g->words / sizeof(int);
    write_words<<<(unsigned)((g->words + 127) / 128), 128>>>(p, step, g->words, 2 * round + 1);
}

static void one_round(int *p, const struct game *g, int round, int first, int end)
{
    start();
    host_turn(p, g, round);
    stop("turns/%s/host/%d to %d", g->name, first, end - 1);
    pass_us(g->gap_us);
    start();
    gpu_turn(p, g, round);
    WAIT_AND_STOP("turns/%s/gpu/%d to %d", g->name, first, end - 1);
    pass_us(g->gap_us);
}

void cells_of_turns()
{
    for (const struct game &g : games)
        for (int k = 0; k <= g.games; k++) {
            int *p = managed(g.bytes);
            (void)rounds(k, g.bytes); /* the first game is not kept */
            gpu_turn(p, &g, 0);
            MUST(cudaDeviceSynchronize());
            pass_us(3000);
            for (int round = 0, part = 0; round < g.rounds; round++) {
                part += round == until[part];
                one_round(p, &g, round, part ? until[part - 1] : 0, until[part]);
            }
            MUST(cudaFree(p));
            if (k == g.games)
                print_cells();
        }
}
