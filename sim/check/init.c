/**
 * @file init.c
 * @brief Implementation of init.h: sets, clears and searches the bits.
 */
#include "init.h"
#include "../space/arena.h"
#include "../base/layout.h"
#include "../base/memory.h"

#include <string.h>
#include <sys/mman.h>

static unsigned char *bits;

bool umsim_init_start(void)
{
    if (!bits)
        bits = umsim_shared_memory(umsim_arenas[UMSIM_ARENA_DEVICE].size / 8);
    return bits != NULL;
}

bool umsim_init_knows(uintptr_t p)
{
    const struct umsim_arena *device = &umsim_arenas[UMSIM_ARENA_DEVICE];
    return bits && p - (uintptr_t)device->base < device->size;
}

static size_t index_of(uintptr_t p)
{
    return p - (uintptr_t)umsim_arenas[UMSIM_ARENA_DEVICE].base;
}

static bool is_set(size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

void umsim_init_written(uintptr_t p, size_t bytes)
{
    size_t i = index_of(p);
    const size_t end = i + bytes;
    for (; i < end && i % 8; i++)
        bits[i / 8] |= (unsigned char)(1 << i % 8);
    if (i < end) {
        memset(&bits[i / 8], 0xff, (end - i) / 8);
        i += (end - i) / 8 * 8;
    }
    for (; i < end; i++)
        bits[i / 8] |= (unsigned char)(1 << i % 8);
}

void umsim_init_forget(uintptr_t p, size_t bytes)
{
    for (; bytes && (p % 8 || bytes < 8); p++, bytes--)
        bits[index_of(p) / 8] &= (unsigned char)~(1 << index_of(p) % 8);
    if (!bytes)
        return;
    const size_t start = index_of(p) / 8, end = umsim_round_up(index_of(p) + bytes, 8) / 8;
    const size_t first = umsim_round_up(start, UMSIM_PAGE), last = umsim_round_down(end, UMSIM_PAGE);
    if (first >= last) {
        memset(bits + start, 0, end - start);
        return;
    }
    memset(bits + start, 0, first - start);
    madvise(bits + first, last - first, MADV_REMOVE);
    memset(bits + last, 0, end - last);
}

uintptr_t umsim_init_missing(uintptr_t p, size_t bytes)
{
    size_t i = index_of(p);
    const size_t end = i + bytes;
    while (i < end) {
        if (i % 64 == 0 && end - i >= 64) {
            uint64_t word;
            memcpy(&word, &bits[i / 8], sizeof word);
            if (word == ~UINT64_C(0)) {
                i += 64;
                continue;
            }
        }
        if (i % 8 == 0 && end - i >= 8 && bits[i / 8] == 0xff) {
            i += 8;
            continue;
        }
        if (!is_set(i))
            break;
        i++;
    }
    return p + (i - index_of(p));
}

bool umsim_init_any(uintptr_t p, size_t bytes)
{
    for (size_t i = index_of(p), end = i + bytes; i < end; i++)
        if (is_set(i))
            return true;
    return false;
}

uintptr_t umsim_init_bits(void)
{
    return (uintptr_t)bits - (uintptr_t)umsim_arenas[UMSIM_ARENA_DEVICE].base / 8;
}
