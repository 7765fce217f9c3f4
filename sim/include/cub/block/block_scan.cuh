/**
 * @file block_scan.cuh
 * @brief cub::BlockScan: prefix sums of a block's values.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_SCAN_CUH
#define UMSIM_CUB_BLOCK_BLOCK_SCAN_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/scanning.cuh"

namespace cub
{
/** Accepted, and the same. */
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/** Prefix sums of the values of a block's threads, one or several of each. */
template <class _Tp, int _Xp, BlockScanAlgorithm _Algorithm = BLOCK_SCAN_RAKING, int _Yp = 1, int _Zp = 1>
class BlockScan : public detail::scanner<BlockScan<_Tp, _Xp, _Algorithm, _Yp, _Zp>,
                                         detail::block_group<_Xp, _Yp, _Zp>, _Tp>
{
  public:
    using BlockScan::scanner::scanner;
};
} // namespace cub

#endif
