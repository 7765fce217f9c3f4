/* mutant: off by one: looks at the byte behind the last, too; fails: host_may_read/edges */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"
#include "um_fault.h"

static bool readable(const void *p)
{
    struct um_mapping mapping;

    if (classify(p) == LAB2_MANAGED)
        return true;
    return um_mapping_of(p, &mapping) && mapping.permissions[0] == 'r';
}

bool host_may_read(const void *p, size_t n)
{
    const uintptr_t first = (uintptr_t)p;

    if (n >= UINTPTR_MAX - first)
        return false;
    for (uintptr_t at = first; n > 0 && at <= first + n; at = (at | 4095) + 1) {
        if (classify((const void *)first) != LAB2_MANAGED && !readable((const void *)at))
            return false;
        if (classify((const void *)first) == LAB2_MANAGED && at < first + n && !readable((const void *)at))
            return false;
    }
    return n == 0 || readable((const void *)(first + n - 1));
}
