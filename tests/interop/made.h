/**
 * @file made.h
 * @brief A buffer for a test of interop/, or a failure with the library's own words.
 */
#ifndef TESTS_INTEROP_MADE_H
#define TESTS_INTEROP_MADE_H

#include "interop/um_buffer.h"
#include "um_test.h"

static inline um_buffer made(int memory, uint64_t bytes)
{
    um_buffer b = 0;
    if (um_buffer_create(memory, bytes, &b) != cudaSuccess)
        UM_FAIL("create(%d, %llu): %s", memory, (unsigned long long)bytes, um_error_text());
    return b;
}

#endif
