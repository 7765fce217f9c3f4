/**
 * @file um_mapped.c
 * @brief Implementation of um_mapped.h: asks the kernel to make a range's pages present, as a touch would.
 */
#include "um_mapped.h"

#include "um_fault.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Linux 5.14; older C libraries do not name them. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

/* For older kernels: goes through the process's own list of mappings, one after the other. */
static bool listed(const char *at, const char *end, bool write)
{
    struct um_mapping mapping;
    while (at < end && um_mapping_of(at, &mapping) && mapping.permissions[0] == 'r' &&
           (!write || mapping.permissions[1] == 'w'))
        at += mapping.end - (uintptr_t)at;
    return at >= end;
}

bool um_mapped(const void *p, size_t bytes, bool write)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)p & ~(page - 1);
    const uintptr_t end = (uintptr_t)p + bytes;
    const int before = errno;
    bool may = false;
    if (end < (uintptr_t)p || end > UINTPTR_MAX - page)
        return false;
    if (bytes == 0 || madvise((char *)p - ((uintptr_t)p - first), ((end - first) + page - 1) & ~(page - 1),
                              write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0)
        may = true;
    else if (errno == EINVAL)
        may = listed(p, (const char *)p + bytes, write);
    errno = before;
    return may;
}
