/* mutant: what CUDA does not know is said to be readable; fails: host_may_read/edges, host_may_read/careful
 */
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "exercise.h"

bool host_may_read(const void *p, size_t n)
{
    return n == 0 || (classify(p) != LAB2_DEVICE && classify((const char *)p + n - 1) != LAB2_DEVICE);
}
