/* mutant: looks at the first and the last byte, not between; fails: host_may_read/edges */
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
    if (n > UINTPTR_MAX - (uintptr_t)p)
        return false;
    return n == 0 || (readable(p) && readable((const char *)p + n - 1));
}
