/**
 * @file managed_variable.cu
 * @brief One `__managed__` variable, used by its name on both sides.
 *
 * managed_variable.h says how to call it.
 */
#include "managed_variable.h"
#include "launch.h"

__managed__ int um_managed_count = 0;

extern "C" __global__ void um_managed_variable_kernel(int more)
{
    um_managed_count = um_managed_count + more;
}

extern "C" int *um_managed_variable(void)
{
    return &um_managed_count;
}

extern "C" cudaError_t um_managed_variable_add(int more, cudaStream_t stream)
{
    um_launch_begin();
    um_managed_variable_kernel<<<1, 1, 0, stream>>>(more);
    return cudaGetLastError();
}
