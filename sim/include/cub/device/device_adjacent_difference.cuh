/**
 * @file device_adjacent_difference.cuh
 * @brief cub::DeviceAdjacentDifference: what elements differ by from their neighbours.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_ADJACENT_DIFFERENCE_CUH
#define UMSIM_CUB_DEVICE_DEVICE_ADJACENT_DIFFERENCE_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** op(element, neighbour): before it (Left) or after it (Right). The element without a neighbour is copied.
 */
struct DeviceAdjacentDifference {
    template <class _Ip, class _Op, class _Np, class _Fp = std::minus<>>
    static cudaError_t SubtractLeftCopy(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                                        _Fp __op = {}, cudaStream_t __stream = nullptr)
    {
        return subtract<-1>(__storage, __bytes, __in, __out, __n, __op, __stream);
    }
    template <class _Ip, class _Np, class _Fp = std::minus<>>
    static cudaError_t SubtractLeft(void *__storage, std::size_t &__bytes, _Ip __data, _Np __n, _Fp __op = {},
                                    cudaStream_t __stream = nullptr)
    {
        return subtract<-1>(__storage, __bytes, __data, __data, __n, __op, __stream);
    }
    template <class _Ip, class _Op, class _Np, class _Fp = std::minus<>>
    static cudaError_t SubtractRightCopy(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                                         _Fp __op = {}, cudaStream_t __stream = nullptr)
    {
        return subtract<1>(__storage, __bytes, __in, __out, __n, __op, __stream);
    }
    template <class _Ip, class _Np, class _Fp = std::minus<>>
    static cudaError_t SubtractRight(void *__storage, std::size_t &__bytes, _Ip __data, _Np __n,
                                     _Fp __op = {}, cudaStream_t __stream = nullptr)
    {
        return subtract<1>(__storage, __bytes, __data, __data, __n, __op, __stream);
    }

  private:
    /* The elements are copied first, because the results may take their places. */
    template <int _Neighbour, class _Ip, class _Op, class _Fp>
    static cudaError_t subtract(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, detail::index __n,
                                _Fp __op, cudaStream_t __stream)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using _Tp = detail::value_of<_Ip>;
            detail::temporary<_Tp, detail::on_device> __copy(__s, __n);
            _Tp *const __p = __copy.get();
            detail::copy_array(__s, __in, __n, __p);
            auto __to = detail::raw(__out);
            detail::each(__s, __n, [=](detail::index __i) mutable {
                const detail::index __other = __i + _Neighbour;
                if (__other >= 0 && __other < __n)
                    __to[__i] = __op(__p[__i], __p[__other]);
                else
                    __to[__i] = __p[__i];
            });
        });
    }
};
} // namespace cub

#endif
