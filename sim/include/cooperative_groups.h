/**
 * @file cooperative_groups.h
 * @brief Groups of threads that work together: blocks, tiles, the lanes that reached the same call, the
 * grid.
 *
 * The names and their meaning are those of CUDA's cooperative groups. A group is a handle: each of its
 * threads has one, and calls its methods together with the others. Where lanes of one warp work together,
 * they use the warp's own operations (umsim/warp.h), with the same messages where lanes would wait for
 * ever. The groups exist only in files that umcc compiles.
 *
 * The files are in cooperative_groups/. The groups are in block.h, grid.h (with clusters), lanes.h, tile.h
 * and coalesced.h. handles.h has the functions that return a thread's own groups, partition.h the functions
 * that divide a group, and invoke.h has one thread act for all. A cluster has one block.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_H
#define UMSIM_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef __UMCC__

/** Programs ask by it whether there is a cluster_group. */
#define _CG_HAS_CLUSTER_GROUP

#include "cooperative_groups/handles.h"
#include "cooperative_groups/invoke.h"
#include "cooperative_groups/partition.h"

#endif /* __UMCC__ */
#include "cuda/detail/brought_waiting.h"

#endif
