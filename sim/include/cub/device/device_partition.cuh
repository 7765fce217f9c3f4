/**
 * @file device_partition.cuh
 * @brief cub::DevicePartition: elements apart by a flag or a predicate, or two.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_PARTITION_CUH
#define UMSIM_CUB_DEVICE_DEVICE_PARTITION_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** The selected elements in order; as in CUB the others behind them in reverse order, or in arrays of their
 * own. */
struct DevicePartition {
    template <class _Ip, class _Gp, class _Op, class _Mp, class _Np>
    static cudaError_t Flagged(void *__storage, std::size_t &__bytes, _Ip __in, _Gp __flags, _Op __out,
                               _Mp __count, _Np __n, cudaStream_t __stream = nullptr)
    {
        return apart(__storage, __bytes, __in, __flags, __out, __count, __n, thrust::identity<>(), __stream);
    }
    template <class _Ip, class _Op, class _Mp, class _Np, class _Pp>
    static cudaError_t If(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Mp __count, _Np __n,
                          _Pp __predicate, cudaStream_t __stream = nullptr)
    {
        return apart(__storage, __bytes, __in, __in, __out, __count, __n, __predicate, __stream);
    }
    /** Three parts: of `__first`, of the others those of `__second`, the rest. `__counts`: of the first two.
     */
    template <class _Ip, class _Ap, class _Bp, class _Cp, class _Mp, class _Np, class _Pp, class _Qp>
    static cudaError_t If(void *__storage, std::size_t &__bytes, _Ip __in, _Ap __first_out, _Bp __second_out,
                          _Cp __rest_out, _Mp __counts, _Np __n, _Pp __first, _Qp __second,
                          cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using _Tp = detail::value_of<_Ip>;
            using thrust::detail::copy_if_op;
            const auto __end = __in + __n;
            const auto __a = copy_if_op::go(__s, __in, __end, __first_out, __first) - __first_out;
            const auto __b =
                copy_if_op::go(__s, __in, __end, __second_out,
                               [=](const _Tp &__v) mutable { return !__first(__v) && __second(__v); }) -
                __second_out;
            copy_if_op::go(__s, __in, __end, __rest_out,
                           [=](const _Tp &__v) mutable { return !__first(__v) && !__second(__v); });
            auto __to = detail::raw(__counts);
            detail::each(__s, 1, [=](detail::index) mutable {
                __to[0] = __a;
                __to[1] = __b;
            });
        });
    }

  private:
    template <class _Ip, class _Gp, class _Op, class _Mp, class _Pp>
    static cudaError_t apart(void *__storage, std::size_t &__bytes, _Ip __in, _Gp __flags, _Op __out,
                             _Mp __count, detail::index __n, _Pp __predicate, cudaStream_t __stream)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using _Tp = detail::value_of<_Ip>;
            detail::temporary<_Tp, detail::on_device> __others(__s, __n);
            _Tp *const __p = __others.get();
            const detail::index __no =
                thrust::detail::remove_copy_if_op::go(__s, __in, __in + __n, __flags, __p, __predicate) - __p;
            thrust::detail::copy_if_op::go(__s, __in, __in + __n, __flags, __out, __predicate);
            auto __to = detail::raw(__out);
            detail::each(__s, __no, [=](detail::index __i) mutable { __to[__n - 1 - __i] = __p[__i]; });
            detail::put(__s, __count, __n - __no);
        });
    }
};
} // namespace cub

#endif
