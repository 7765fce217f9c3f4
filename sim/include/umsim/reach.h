/**
 * @file umsim/reach.h
 * @brief For libraries of kernels (sim/cublas): checks, before a kernel starts, whether it can access all of
 * an array.
 */
#ifndef UMSIM_REACH_H
#define UMSIM_REACH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether kernels can access an array. */
enum umsim_reach_answer {
    UMSIM_REACHED,     /**< all of it is in one allocation, or in the kernels' heap */
    UMSIM_OF_THE_HOST, /**< it is the host's own memory */
    UMSIM_ENDS_EARLY   /**< its allocation is smaller, or was freed */
};

/** Checks [p, p + bytes). */
enum umsim_reach_answer umsim_reach(const void *__p, size_t __bytes);

#ifdef __cplusplus
}
#endif
#endif
