/**
 * @file grid_mapping.cuh
 * @brief How a grid's blocks divide tiles among themselves.
 */
#ifndef UMSIM_CUB_GRID_GRID_MAPPING_CUH
#define UMSIM_CUB_GRID_GRID_MAPPING_CUH

#include "../config.cuh"

namespace cub
{
/** Each block a range of neighbours, every n-th tile, or whichever is next. */
enum GridMappingStrategy { GRID_MAPPING_RAKE, GRID_MAPPING_STRIP_MINE, GRID_MAPPING_DYNAMIC };
} // namespace cub

#endif
