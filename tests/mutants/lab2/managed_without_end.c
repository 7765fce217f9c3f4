/* mutant: memory that begins as managed is said to be managed for ever; fails: host_may_read/edges */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"
#include "um_fault.h"

bool host_may_read(const void *p, size_t n)
{
    const uintptr_t page = 4096, first = (uintptr_t)p;
    uintptr_t at = first;

    if (classify(p) == LAB2_MANAGED)
        return true;
    if (n > UINTPTR_MAX - first)
        return false;
    while (at < first + n) {
        const uintptr_t left = first + n - at, to_page_end = page - at % page;
        const uintptr_t bytes = left < to_page_end ? left : to_page_end;
        struct um_mapping mapping;

        if (classify((const void *)at) == LAB2_MANAGED &&
            classify((const void *)(at + bytes - 1)) == LAB2_MANAGED) {
            at += bytes;
            continue;
        }
        if (!um_mapping_of((const void *)at, &mapping) || mapping.permissions[0] != 'r')
            return false;
        at = mapping.end;
    }
    return true;
}
