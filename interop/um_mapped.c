/**
 * @file um_mapped.c
 * @brief Whether the host may touch a range: the kernel is asked to make its pages present, as the touch would.
 */
#include "um_mapped.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Linux 5.14; older C libraries do not name them. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

/* Where the kernel is older: by the process's own list of mappings, which is in order of addresses. */
static bool listed(uintptr_t at, uintptr_t end, bool write)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return false;
    while (at < end && fgets(line, sizeof line, maps)) {
        uintptr_t from, to;
        char r, w;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c%c", &from, &to, &r, &w) != 4 || to <= at)
            continue;
        if (from > at || r != 'r' || (write && w != 'w'))
            break;
        at = to;
    }
    fclose(maps);
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
        may = listed((uintptr_t)p, end, write);
    errno = before;
    return may;
}
