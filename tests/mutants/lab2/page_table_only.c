/* mutant: managed pages on the GPU are said to be unreadable; fails: host_may_read/right_answer */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"
#include "um_fault.h"

bool host_may_read(const void *p, size_t n)
{
    const uintptr_t page = 4096, first = (uintptr_t)p;
    uintptr_t at = first;

    if (n > UINTPTR_MAX - first)
        return false;
    while (at < first + n) {
        const uintptr_t left = first + n - at, to_page_end = page - at % page;
        const uintptr_t bytes = left < to_page_end ? left : to_page_end;
        struct um_mapping mapping;

        (void)bytes;
        if (!um_mapping_of((const void *)at, &mapping) || mapping.permissions[0] != 'r')
            return false;
        at = mapping.end;
    }
    return true;
}
