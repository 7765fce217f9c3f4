/**
 * @file cooperative_groups.h
 * @brief Groups of threads that do things together: blocks, tiles, the lanes that are here, the grid.
 *
 * The names and their meaning are those of CUDA's cooperative groups. A group is a handle: each of its
 * threads has one, and calls its methods together with the others. What its lanes do together are the warp's
 * own operations (umsim/warp.h), with the same messages where they would wait in vain. In files that umcc
 * compiles.
 *
 * The groups are in cooperative_groups/: block.h, grid.h (and clusters), lanes.h and tile.h, coalesced.h;
 * how a thread comes by them in handles.h; what makes parts of them in partition.h; one thread for all in
 * invoke.h. Clusters have one block each.
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
#endif
