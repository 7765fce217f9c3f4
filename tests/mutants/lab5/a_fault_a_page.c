/* mutant: a fault for each page that is touched; fails: predict_faults/whole_walks */
#include "exercise.h"

uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    uint64_t pages = 0;

    for (size_t at = first, last = SIZE_MAX; at < bytes; last = at / 4096, at += stride) {
        pages += at / 4096 != last;
        if (stride > bytes - at)
            return pages;
    }
    return pages;
}
