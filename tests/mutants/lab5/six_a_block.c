/* mutant: six for each block, whatever is touched; fails: predict_faults/strides,
 * predict_faults/awkward_sizes */
#include "exercise.h"

uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    (void)stride;
    return first < bytes ? (bytes + (2 << 20) - 1) / (2 << 20) * 6 : 0;
}
