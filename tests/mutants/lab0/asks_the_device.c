/* mutant: asks the device that it runs on; fails: allowed_kinds/asks_nobody, allowed_kinds/any_machine */
#include <cuda_runtime_api.h>

#include "exercise.h"

static int has(enum cudaDeviceAttr attribute)
{
    int value = 0;

    cudaDeviceGetAttribute(&value, attribute, 0);
    return value == 1;
}

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    unsigned kinds = LAB0_KINDS;

    (void)caps;
    if (!has(cudaDevAttrConcurrentManagedAccess))
        kinds &= ~LAB0_MANAGED_TOGETHER;
    if (!has(cudaDevAttrPageableMemoryAccess))
        kinds &= ~LAB0_PAGEABLE;
    return kinds;
}
