/**
 * @file launch.h
 * @brief What the launchers in this folder share; private to kernels/.
 *
 * A launcher checks um_grid_ok(), calls um_launch_begin(), launches the kernel, and returns
 * cudaGetLastError().
 */
#ifndef UM_KERNELS_LAUNCH_H
#define UM_KERNELS_LAUNCH_H

#include "kernels.h"

/** Blocks that a one-dimensional grid may have (cudaDevAttrMaxGridDimX, of every GPU since compute
 * capability 3.0). */
#define UM_GRID_MAX ((size_t)2147483647)

/** Blocks for one thread an element. */
static inline unsigned um_blocks(size_t n)
{
    return (unsigned)((n + UM_BLOCK_THREADS - 1) / UM_BLOCK_THREADS);
}

/** Whether um_blocks(n) is a grid that can be launched. */
static inline bool um_grid_ok(size_t n)
{
    return n <= UM_GRID_MAX * UM_BLOCK_THREADS;
}

/**
 * Forgets an error that an earlier call left (and returned): it does not belong to this launch. Sticky errors
 * stay.
 */
static inline void um_launch_begin(void)
{
    (void)cudaGetLastError();
}

#endif
