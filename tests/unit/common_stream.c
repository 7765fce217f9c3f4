/**
 * @file common_stream.c
 * @brief Tests of common/um_stream.h: whatever begins and ends where, all of it arrives and nothing else
 * changes.
 */
#include "um_stream.h"
#include "um_test.h"

#include <string.h>

enum { CAPACITY = 512 };

static void all_that_is_copied_arrives_and_nothing_else_changes(void)
{
    static unsigned char from[CAPACITY], to[CAPACITY], expected[CAPACITY];
    size_t wrong = 0, tried = 0;
    for (size_t i = 0; i < CAPACITY; i++)
        from[i] = (unsigned char)(i * 37 + 1);
    for (size_t a = 0; a < 66; a += 1 + (a > 3) * 13)
        for (size_t b = 0; b < 66; b++)
            for (size_t bytes = 0; bytes <= 330; bytes += 1 + (bytes > 70) * 12) {
                memset(to, 0xee, CAPACITY);
                memset(expected, 0xee, CAPACITY);
                memcpy(expected + b, from + a, bytes);
                um_stream_copy(to + b, from + a, bytes);
                wrong += memcmp(to, expected, CAPACITY) != 0;
                tried++;
            }
    CU_ASSERT_TRUE(tried > 10000);
    UM_EQUAL(wrong, 0);
}

UM_TESTS("stream", {"all that is copied arrives, and nothing else changes",
                    all_that_is_copied_arrives_and_nothing_else_changes});
