/**
 * @file arena.h
 * @brief Memory that a counted block takes as it needs it.
 *
 * GPU process only. What most blocks need is beside each other, in pages that a block before has had; the
 * most that any one needs is at hand, too.
 */
#ifndef UMSIM_COUNT_ARENA_H
#define UMSIM_COUNT_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct umsim_count_arena {
    char *next, *end; /* what is left of the first part, or of the second */
    char *second, *second_end;
};

/** @return so many zeroed bytes, until the block has ended */
static inline void *umsim_count_take(struct umsim_count_arena *arena, size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    if (bytes > (size_t)(arena->end - arena->next)) {
        arena->next = arena->second;
        arena->end = arena->second_end;
    }
    char *const taken = arena->next;
    arena->next += bytes;
    /* no function of the C library, as hooks come here that have saved no vectors (full.c) */
    void *at = taken;
#ifdef __x86_64__
    size_t words = bytes / sizeof(uint64_t);
    __asm__ volatile("rep stosq" : "+D"(at), "+c"(words) : "a"(0) : "memory");
#elif defined(__aarch64__)
    for (const char *end = taken + bytes; at != end;)
        __asm__ volatile("stp xzr, xzr, [%0], #16" : "+r"(at) : : "memory");
#endif
    return taken;
}

#endif
