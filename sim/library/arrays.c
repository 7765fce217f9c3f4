/**
 * @file arrays.c
 * @brief Implementation of arrays.h: asks the simulator where an array lies, and says what is wrong with it.
 */
#include "arrays.h"
#include "../include/umsim/reach.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t umsim_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t umsim_plus(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

bool umsim_reaches(const char *call, const char *name, const void *p, uint64_t n, uint64_t element_size)
{
    const uint64_t bytes = umsim_times(n, element_size);
    if (bytes == 0)
        return true;
    if (!p) {
        fprintf(stderr, "%s: %s is NULL, and should have %" PRIu64 " bytes: allocate it with cudaMalloc\n",
                call, name, bytes);
        return false;
    }
    if (bytes > PTRDIFF_MAX) {
        fprintf(stderr,
                "%s: %s would have more bytes than there are addresses: check sizes, strides and leading "
                "dimensions\n",
                call, name);
        return false;
    }
    switch (umsim_reach(p, bytes)) {
    case UMSIM_REACHED:
        return true;
    case UMSIM_OF_THE_HOST:
        fprintf(stderr,
                "%s: %s, %" PRIu64
                " bytes at %p, is the host's own memory, which no kernel reaches: copy it to "
                "memory of cudaMalloc\n",
                call, name, bytes, p);
        return false;
    default:
        fprintf(stderr,
                "%s: %s should have %" PRIu64
                " bytes at %p, but its allocation ends before that, or was freed: "
                "check sizes, strides and leading dimensions\n",
                call, name, bytes, p);
        return false;
    }
}

int umsim_version_part(int version, libraryPropertyType part)
{
    switch (part) {
    case MAJOR_VERSION:
        return version / 10000;
    case MINOR_VERSION:
        return version / 100 % 100;
    case PATCH_LEVEL:
        return version % 100;
    }
    return -1;
}
