/**
 * @file reach.c
 * @brief Implementation of umsim/reach.h: whether kernels can reach a range of memory.
 */
#include "runtime.h"
#include "../space/heap.h"
#include "../base/lock.h"
#include "../include/umsim/reach.h"
#include "../space/classify.h"

enum umsim_reach_answer umsim_reach(const void *p, size_t bytes)
{
    struct umsim_classified place;
    umsim_lock();
    const bool known = umsim_classify(p, bytes, &place), heap = umsim_heap_holds(p);
    umsim_unlock();
    if (heap)
        return UMSIM_REACHED;
    if (!known)
        return UMSIM_ENDS_EARLY;
    return umsim_is_on_device_side(&place) ? UMSIM_REACHED : UMSIM_OF_THE_HOST;
}
