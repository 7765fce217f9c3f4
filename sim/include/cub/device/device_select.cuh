/**
 * @file device_select.cuh
 * @brief cub::DeviceSelect: some of the elements, in order, and their number.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_SELECT_CUH
#define UMSIM_CUB_DEVICE_DEVICE_SELECT_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Selects some of the elements, in order, and counts them. A form with one array works in place. */
struct DeviceSelect {
    template <class _Ip, class _Op, class _Mp, class _Pp>
    static cudaError_t If(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Mp __count,
                          std::int64_t __n, _Pp __predicate, cudaStream_t __stream = nullptr)
    {
        return FlaggedIf(__storage, __bytes, __in, __in, __out, __count, __n, __predicate, __stream);
    }
    template <class _Ip, class _Mp, class _Pp>
    static cudaError_t If(void *__storage, std::size_t &__bytes, _Ip __data, _Mp __count, std::int64_t __n,
                          _Pp __predicate, cudaStream_t __stream = nullptr)
    {
        return If(__storage, __bytes, __data, __data, __count, __n, __predicate, __stream);
    }
    /** The elements whose flag is set. @{ */
    template <class _Ip, class _Gp, class _Op, class _Mp>
    static cudaError_t Flagged(void *__storage, std::size_t &__bytes, _Ip __in, _Gp __flags, _Op __out,
                               _Mp __count, std::int64_t __n, cudaStream_t __stream = nullptr)
    {
        return FlaggedIf(__storage, __bytes, __in, __flags, __out, __count, __n, thrust::identity<>(),
                         __stream);
    }
    template <class _Ip, class _Gp, class _Mp>
    static cudaError_t Flagged(void *__storage, std::size_t &__bytes, _Ip __data, _Gp __flags, _Mp __count,
                               std::int64_t __n, cudaStream_t __stream = nullptr)
    {
        return Flagged(__storage, __bytes, __data, __flags, __data, __count, __n, __stream);
    }
    /** @} */
    /** The elements for whose flag the predicate holds. @{ */
    template <class _Ip, class _Gp, class _Op, class _Mp, class _Pp>
    static cudaError_t FlaggedIf(void *__storage, std::size_t &__bytes, _Ip __in, _Gp __flags, _Op __out,
                                 _Mp __count, std::int64_t __n, _Pp __predicate,
                                 cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            const auto __end =
                thrust::detail::copy_if_op::go(__s, __in, __in + __n, __flags, __out, __predicate);
            detail::put(__s, __count, __end - __out);
        });
    }
    template <class _Ip, class _Gp, class _Mp, class _Pp>
    static cudaError_t FlaggedIf(void *__storage, std::size_t &__bytes, _Ip __data, _Gp __flags, _Mp __count,
                                 std::int64_t __n, _Pp __predicate, cudaStream_t __stream = nullptr)
    {
        return FlaggedIf(__storage, __bytes, __data, __flags, __data, __count, __n, __predicate, __stream);
    }
    /** @} */
    /** The first of each run of equal elements. */
    template <class _Ip, class _Op, class _Mp>
    static cudaError_t Unique(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Mp __count,
                              std::int64_t __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            detail::put(__s, __count,
                        thrust::detail::unique_copy_op::go(__s, __in, __in + __n, __out) - __out);
        });
    }
    /** The first of each run of equal keys, and its value. @{ */
    template <class _Kp, class _Vp, class _Ap, class _Bp, class _Mp, class _Np, class _Ep,
              class = std::enable_if_t<!std::is_convertible_v<_Ep, cudaStream_t>>>
    static cudaError_t UniqueByKey(void *__storage, std::size_t &__bytes, _Kp __keys, _Vp __values,
                                   _Ap __keys_out, _Bp __values_out, _Mp __count, _Np __n, _Ep __same,
                                   cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            const auto __end = thrust::detail::unique_by_key_copy_op::go(__s, __keys, __keys + __n, __values,
                                                                         __keys_out, __values_out, __same);
            detail::put(__s, __count, __end.first - __keys_out);
        });
    }
    template <class _Kp, class _Vp, class _Ap, class _Bp, class _Mp, class _Np>
    static cudaError_t UniqueByKey(void *__storage, std::size_t &__bytes, _Kp __keys, _Vp __values,
                                   _Ap __keys_out, _Bp __values_out, _Mp __count, _Np __n,
                                   cudaStream_t __stream = nullptr)
    {
        return UniqueByKey(__storage, __bytes, __keys, __values, __keys_out, __values_out, __count, __n,
                           thrust::detail::is_equal(), __stream);
    }
    /** @} */
};
} // namespace cub

#endif
