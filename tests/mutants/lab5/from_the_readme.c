/* mutant: the figure that the lab printed; fails: predict_faults/whole_walks */
#include "exercise.h"

uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    (void)first, (void)stride;
    return bytes > 0 ? 192 : 0;
}
