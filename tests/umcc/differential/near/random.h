/**
 * @file random.h
 * @brief What random kernels are launched with: memory, streams, and a hash of all that a launch wrote.
 *
 * RUN(7) { begin(0); k7<<<..., STREAM>>>(MEMORY->in, ...); finish(7, 1); } prints `k7` and a hash for each
 * launch. The memory has random input, the same each time, and 0 where kernels write. MAIN(7, "k7 ...")
 * runs it and prints OK if that is what it says; with TOGETHER several such files are one program (kept.py).
 * nvcc compiles the same.
 */
#pragma once
#include "near.h"
#include <far.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Memory {
    int in[1024];
    unsigned words[1024];
    unsigned char bytes[1024];
    long long longs[1024];
    short shorts[1024];
    unsigned long long out[4096], own[2048];
    int sums[64];
    unsigned xors[64];
    int mosts[64];
    unsigned ors[64];
};
static struct Memory *arenas[3], host;
static cudaStream_t streams[3];
static int at;
static char said[256]; // the last line
#define MEMORY arenas[at]
#define STREAM streams[at]
static const size_t written = sizeof(struct Memory) - offsetof(struct Memory, out);

static void prepare(void)
{
    unsigned long long x = 88172645463325252ull;
    for (int i = 0; i < 1024; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        host.in[i] = (int)(x % 2001) - 1000;
        host.words[i] = (unsigned)(x >> 20);
        host.bytes[i] = (unsigned char)(x >> 9);
        host.longs[i] = (long long)(x % 2000000000001ull) - 1000000000000ll;
        host.shorts[i] = (short)(x >> 30);
    }
    for (int a = 0; a < 3; a++) {
        cudaMalloc((void **)&arenas[a], sizeof(struct Memory));
        cudaMemcpy(arenas[a], &host, sizeof host, cudaMemcpyHostToDevice);
        cudaStreamCreate(&streams[a]);
    }
}

// Before each launch: memory of its own, cleared.
static void begin(int launch)
{
    at = launch;
    cudaMemsetAsync(arenas[at]->out, 0, written, streams[at]);
}

static void finish(int number, int launches)
{
    const cudaError_t launched = cudaGetLastError(), done = cudaDeviceSynchronize();
    char *end = said + sprintf(said, "k%d", number);
    if (launched || done) {
        printf("%s %s\n", said, cudaGetErrorName(done ? done : launched));
        exit(3);
    }
    for (int a = 0; a < launches; a++) {
        cudaMemcpy(host.out, arenas[a]->out, written, cudaMemcpyDeviceToHost);
        unsigned long long hash = 14695981039346656037ull;
        const unsigned char *bytes = (const unsigned char *)host.out;
        for (size_t i = 0; i < written; i += 8) {
            unsigned long long word;
            memcpy(&word, bytes + i, 8);
            hash = (hash ^ word) * 1099511628211ull;
            hash ^= hash >> 29;
        }
        end += sprintf(end, " %016llx", hash);
    }
    puts(said);
    fflush(stdout);
}

#define RUN(number) static void run##number(void)
#ifdef TOGETHER
#define MAIN(number, expected)
#else
#define MAIN(number, expected)                                                                               \
    int main()                                                                                               \
    {                                                                                                        \
        prepare();                                                                                           \
        run##number();                                                                                       \
        const int same = !strcmp(said, expected);                                                            \
        puts(same ? "OK" : "FAIL: expected " expected);                                                      \
        return !same;                                                                                        \
    }
#endif
