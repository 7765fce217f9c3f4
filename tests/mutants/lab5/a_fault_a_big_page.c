/* mutant: a fault for each 64 KiB that is touched; fails: predict_faults/whole_walks */
#include "exercise.h"

uint64_t predict_faults(size_t bytes, size_t first, size_t stride)
{
    uint64_t big_pages = 0;

    for (size_t at = first, last = SIZE_MAX; at < bytes; last = at / 65536, at += stride) {
        big_pages += at / 65536 != last;
        if (stride > bytes - at)
            break;
    }
    return big_pages;
}
