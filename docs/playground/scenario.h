/**
 * @file scenario.h
 * @brief A scenario of the playground: what host and GPU do to one managed array, step by step, as text.
 *
 *     profile h200-pcie5                  the machine (may be left out)
 *     device 8M                           its free memory (may be left out: all that the machine has)
 *     array 16M                           comes before the steps
 *     host write walk                     every word, in order
 *     gpu read stride 64K                 a word every 64 KiB
 *     gpu write random 100 7              100 words, in the order of seed 7
 *     host read byte 5000                 one byte, at that offset
 *     gpu read walk 0 4M                  a part: from there, so long
 *     turns 5 0 64K                       host and GPU write in turn, five times each
 *     advise read-mostly | no-read-mostly | no-preferred
 *     advise preferred gpu | accessed gpu | no-accessed gpu      (or host)
 *     prefetch gpu | prefetch host
 *
 * On a machine with two GPUs `gpu1` is the other one (and `gpu0` is `gpu`).
 *
 * Each step may end in `FROM LENGTH`, bytes (K and M are powers of 1024); without, it is the whole array. The
 * same text runs here on the paging policy alone (play.h) and in tests/playground as a program on the
 * simulator; what both share is which bytes a step touches, and nothing else.
 */
#ifndef UMLAB_PLAYGROUND_SCENARIO_H
#define UMLAB_PLAYGROUND_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define SCENARIO_BOTH_SIDES __host__ __device__
#else
#define SCENARIO_BOTH_SIDES
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SCENARIO_STEPS 64
/** The page draws each 4 KiB page. */
#define SCENARIO_ARRAY_MAX ((uint64_t)64 << 20)
#define SCENARIO_TURNS_MAX 1000
#define SCENARIO_NAME 64
/** Threads of a block of each kernel; each thread touches one word. */
#define SCENARIO_THREADS 256

enum scenario_kind { SCENARIO_ACCESS, SCENARIO_TURNS, SCENARIO_ADVISE, SCENARIO_PREFETCH };
enum scenario_side { SCENARIO_HOST, SCENARIO_GPU, SCENARIO_GPU_1, SCENARIO_NEITHER };
enum scenario_pattern { SCENARIO_WALK, SCENARIO_STRIDE, SCENARIO_RANDOM, SCENARIO_BYTE };
/** In the order of cudaMemoryAdvise. */
enum scenario_advice {
    SCENARIO_READ_MOSTLY,
    SCENARIO_NO_READ_MOSTLY,
    SCENARIO_PREFERRED,
    SCENARIO_NO_PREFERRED,
    SCENARIO_ACCESSED,
    SCENARIO_NO_ACCESSED
};

struct scenario_step {
    enum scenario_kind kind;
    enum scenario_side side; /**< who touches; whose advice; where to */
    bool is_write;
    enum scenario_pattern pattern;
    enum scenario_advice advice;
    uint64_t from, length; /**< bytes of the array */
    uint64_t stride;       /**< bytes from one touch to the next; a walk's are a word */
    uint64_t count;        /**< random touches, or turns */
    uint64_t seed;
};

struct scenario {
    char profile[SCENARIO_NAME]; /**< empty: the default */
    uint64_t device, array;      /**< bytes; `device` 0: what the profile has */
    unsigned steps;
    struct scenario_step step[SCENARIO_STEPS];
};

/**
 * Reads a scenario. Lines end in a newline or a semicolon; empty ones are left out.
 * @param[out] error one line, when false is returned: which line, what is wrong with it, what may stand there
 */
bool scenario_read(const char *text, struct scenario *scenario, char *error, size_t error_size);

/** The device that works, or that is current meanwhile. */
static inline unsigned scenario_device(const struct scenario_step *step)
{
    return step->side == SCENARIO_GPU_1;
}

/** How many touches a step of kind ACCESS makes; of one word each, or of one byte. */
static inline SCENARIO_BOTH_SIDES uint64_t scenario_touches(const struct scenario_step *step)
{
    switch (step->pattern) {
    case SCENARIO_WALK:
        return (step->length + 3) / 4;
    case SCENARIO_STRIDE:
        return (step->length + step->stride - 1) / step->stride;
    case SCENARIO_RANDOM:
        return step->count;
    default:
        return 1;
    }
}

/** A number that looks random, of a seed and a place in its sequence (splitmix64 by Sebastiano Vigna). */
static inline SCENARIO_BOTH_SIDES uint64_t scenario_random(uint64_t seed, uint64_t place)
{
    uint64_t z = (seed * UINT64_C(0x2545f4914f6cdd1d)) + (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/** Where in the array its touch number `i` is, bytes. */
static inline SCENARIO_BOTH_SIDES uint64_t scenario_touch(const struct scenario_step *step, uint64_t i)
{
    switch (step->pattern) {
    case SCENARIO_WALK:
        return step->from + 4 * i;
    case SCENARIO_STRIDE:
        return step->from + step->stride * i;
    case SCENARIO_RANDOM:
        return step->from + 4 * (scenario_random(step->seed, i) % (step->length / 4));
    default:
        return step->from;
    }
}

/** The bytes that its kernel declares: all of a walk; elsewhere what each touch moves, a read two sectors of
 * 32 bytes, a write one; never more than the range has. */
static inline uint64_t scenario_bytes(const struct scenario_step *step)
{
    const uint64_t sparse = scenario_touches(step) * (step->is_write ? 32 : 64);
    return step->pattern == SCENARIO_WALK || sparse > step->length ? step->length : sparse;
}

#ifdef __cplusplus
}
#endif
#endif
