/**
 * @file instructions.h
 * @brief For programs of instructions of the host: what one leaves in managed memory and in ordinary memory
 * is the same.
 *
 * Each is begun with both pages on the GPU. Wide and split accesses fault once or twice and begin again;
 * string instructions go on in the middle; masked ones may touch no page at all.
 */
#ifndef ROBUST_INSTRUCTIONS_H
#define ROBUST_INSTRUCTIONS_H

#include "robust.h"

enum { BYTES = 16 * PAGE };

/** What an instruction is given: an address near a page's end, and ordinary memory for its result. */
struct work {
    unsigned char *p;
    unsigned char result[256];
};

typedef void (*instruction)(work *mine);

/** Does it to managed memory on the GPU and to ordinary memory; `step` bytes lie between two tries. */
[[maybe_unused]] static void same_as_in_ordinary_memory(const char *name, instruction run, int step)
{
    static unsigned char plain[BYTES] __attribute__((aligned(PAGE)));
    unsigned char *managed = NULL;
    uint64_t state = 9;

    NEED(cudaMallocManaged((void **)&managed, BYTES));
    for (int at = PAGE - 128; at <= PAGE + 64; at += step) {
        for (unsigned char &byte : plain)
            byte = (unsigned char)robust_random(&state);
        memcpy(managed, plain, BYTES);
        work here = {plain + at, {}}, there = {managed + at, {}};
        run(&here);
        to_gpu(managed, BYTES);
        run(&there);
        HOLDS(memcmp(here.result, there.result, sizeof here.result) == 0, "%s at %d: another result", name,
              at);
        for (int i = 0; i < BYTES; i++)
            HOLDS(managed[i] == plain[i], "%s at %d, byte %d: %d, not %d", name, at, i, managed[i], plain[i]);
    }
    NEED(cudaFree(managed));
}

/** For a processor of the other kind: no case of the program can run. */
#define ROBUST_NOT_HERE(...)                                                                                 \
    static void not_here()                                                                                   \
    {                                                                                                        \
        CANNOT(__VA_ARGS__);                                                                                 \
    }                                                                                                        \
    int main()                                                                                               \
    {                                                                                                        \
        not_here();                                                                                          \
    }

#endif
