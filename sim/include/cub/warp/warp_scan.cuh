/**
 * @file warp_scan.cuh
 * @brief cub::WarpScan: prefix sums of a warp's values.
 */
#ifndef UMSIM_CUB_WARP_WARP_SCAN_CUH
#define UMSIM_CUB_WARP_WARP_SCAN_CUH

#include "../detail/scanning.cuh"
#include "../thread/thread_load.cuh"
#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"
#include "../thread/thread_store.cuh"

namespace cub
{
/** Prefix sums of the values of a warp's lanes, or of a part of a warp. */
template <class _Tp, int _Lanes = 32>
class WarpScan : public detail::scanner<WarpScan<_Tp, _Lanes>, detail::warp_group<_Lanes>, _Tp>
{
  public:
    using WarpScan::scanner::scanner;

    /** Both scans: (in, inclusive, exclusive, op), or a start before op. @{ */
    template <class _Fp> __device__ void Scan(_Tp __in, _Tp &__inclusive, _Tp &__exclusive, _Fp __op)
    {
        this->InclusiveScan(__in, __inclusive, __op);
        this->ExclusiveScan(__in, __exclusive, __op);
    }
    template <class _Fp>
    __device__ void Scan(_Tp __in, _Tp &__inclusive, _Tp &__exclusive, _Tp __start, _Fp __op)
    {
        this->InclusiveScan(__in, __inclusive, __start, __op);
        this->ExclusiveScan(__in, __exclusive, __start, __op);
    }
    /** @} */
    /** @return lane `__from`'s value */
    __device__ _Tp Broadcast(_Tp __in, unsigned __from)
    {
        using group = detail::warp_group<_Lanes>;
        _Tp *const __s = this->__storage_.values();
        if ((unsigned)group::rank() == __from)
            *__s = __in;
        group::sync();
        const _Tp __value = *__s;
        group::done();
        return __value;
    }
};
} // namespace cub

#endif
