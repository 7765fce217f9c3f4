/**
 * @file host_memory.c
 * @brief Implementation of host_memory.h.
 */
#include "host_memory.h"

#include <string.h>

static bool copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return true;
}

static bool (*reads)(void *, const void *, size_t) = copy, (*writes)(void *, const void *, size_t) = copy;

bool umsim_host_read(void *to, const void *from, size_t bytes)
{
    return reads(to, from, bytes);
}

bool umsim_host_write(void *to, const void *from, size_t bytes)
{
    return writes(to, from, bytes);
}

bool umsim_host_is_elsewhere(void)
{
    return reads != copy;
}

void umsim_host_memory_is(bool (*read)(void *, const void *, size_t),
                          bool (*write)(void *, const void *, size_t))
{
    reads = read;
    writes = write;
}
