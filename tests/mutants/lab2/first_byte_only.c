/* mutant: looks at the first byte; fails: host_may_read/edges */
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
    return n == 0 || readable(p);
}
