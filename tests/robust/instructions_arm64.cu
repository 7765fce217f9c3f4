/**
 * @file instructions_arm64.cu
 * @brief arm64's instructions that touch managed memory otherwise than one word on one page (instructions.h).
 */
#include "instructions.h"

#ifdef __aarch64__
#include <sys/auxv.h>

#ifndef HWCAP_ATOMICS
#define HWCAP_ATOMICS (1 << 8)
#endif

/* 32 bytes at once, at any address. */
static void pairs(work *mine)
{
    __asm__ volatile("ldp q0, q1, [%0]\n\tstp q0, q1, [%1]\n\tmovi v2.16b, #7\n\tmovi v3.16b, #9\n\t"
                     "stp q2, q3, [%0]"
                     :
                     : "r"(mine->p), "r"(mine->result)
                     : "v0", "v1", "v2", "v3", "memory");
}

/* The address is advanced by the instruction that may fault: it has to be so once. */
static void advancing(work *mine)
{
    unsigned char *p = mine->p;
    const unsigned char *const start = p;
    uint64_t a, b;

    __asm__ volatile(
        "ldp %1, %2, [%0], #16\n\tstp %2, %1, [%0, #16]!\n\tldr %1, [%0], #-5\n\tstr %2, [%0, #3]!"
        : "+r"(p), "=&r"(a), "=&r"(b)
        :
        : "memory");
    const int64_t moved = p - start;
    memcpy(mine->result, &moved, sizeof moved);
    memcpy(mine->result + 8, &a, sizeof a);
}

/* Four vectors, whose elements lie in turns. */
static void structures(work *mine)
{
    __asm__ volatile(
        "ld4 {v0.16b, v1.16b, v2.16b, v3.16b}, [%0]\n\tst1 {v0.16b, v1.16b, v2.16b, v3.16b}, [%1]\n\t"
        "add v0.16b, v0.16b, v3.16b\n\tst3 {v0.16b, v1.16b, v2.16b}, [%0]\n\t"
        "ld1 {v4.s}[1], [%0]\n\tst1 {v4.s}[1], [%1]"
        :
        : "r"(mine->p), "r"(mine->result)
        : "v0", "v1", "v2", "v3", "v4", "memory");
}

/* Zeroes the aligned block that the address is in. */
static void zeroes(work *mine)
{
    uint64_t size;

    __asm__("mrs %0, dczid_el0" : "=r"(size));
    if (size & 16)
        CANNOT("this system does not allow dc zva");
    __asm__ volatile("dc zva, %0" : : "r"(mine->p) : "memory");
}

/* A load that reserves 16 bytes, and a store that succeeds where nobody came between. */
static void exclusive(work *mine)
{
    uint64_t low, high;
    unsigned failed;

    do
        __asm__ volatile("ldaxp %0, %1, [%3]\n\tadd %0, %0, #3\n\tstlxp %w2, %1, %0, [%3]"
                         : "=&r"(low), "=&r"(high), "=&r"(failed)
                         : "r"(mine->p)
                         : "memory");
    while (failed);
    memcpy(mine->result, &low, sizeof low);
}

/* Atomic in one instruction: a sum, and a comparison of 16 bytes. */
static void one_instruction(work *mine)
{
    uint64_t old;

    __asm__ volatile(
        ".arch_extension lse\n\tldaddal %1, %0, [%2]\n\tmov x4, #1\n\tmov x5, #2\n\tmov x6, #3\n\t"
        "mov x7, #4\n\tcaspal x4, x5, x6, x7, [%2]"
        : "=&r"(old)
        : "r"((uint64_t)5), "r"(mine->p)
        : "x4", "x5", "x6", "x7", "memory");
    memcpy(mine->result, &old, sizeof old);
}

static void wide()
{
    same_as_in_ordinary_memory("ldp, stp of 32 bytes", pairs, 3);
    same_as_in_ordinary_memory("ld4, st3, one element", structures, 3);
}

static void advanced()
{
    same_as_in_ordinary_memory("addresses that the access advances", advancing, 1);
}

static void zeroed()
{
    same_as_in_ordinary_memory("dc zva", zeroes, 8);
}

static void locked()
{
    same_as_in_ordinary_memory("ldaxp, stlxp", exclusive, 16);
    if (!(getauxval(AT_HWCAP) & HWCAP_ATOMICS))
        CANNOT("this processor has no ldadd and casp");
    same_as_in_ordinary_memory("ldadd, casp", one_instruction, 16);
}

ROBUST_CASES({"wide", wide}, {"advanced", advanced}, {"zeroed", zeroed}, {"locked", locked})
#else
ROBUST_NOT_HERE("these instructions are arm64's")
#endif
