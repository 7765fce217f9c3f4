/**
 * @file um_stream.c
 * @brief Implementation of um_stream.h: streaming stores by SSE2, which every x86-64 processor has.
 */
#include "um_stream.h"

#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <emmintrin.h>

/* A cache line: when it is written as a whole, it goes to memory once. */
#define LINE ((size_t)64)

static void copy_line(char *to, const char *from)
{
    for (size_t i = 0; i < LINE; i += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)(to + i),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
}

void um_stream_copy(void *to, const void *from, size_t bytes)
{
    char *target = to;
    const char *source = from;
    const size_t to_line = (LINE - (uintptr_t)target % LINE) % LINE;
    const size_t head = to_line < bytes ? to_line : bytes;
    const size_t end = head + (bytes - head) / LINE * LINE;
    memcpy(target, source, head);
    for (size_t i = head; i < end; i += LINE)
        copy_line(target + i, source + i);
    memcpy(target + end, source + end, bytes - end);
    _mm_sfence(); /* streaming stores are not ordered with the stores that follow */
}
#else
void um_stream_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif
