/**
 * @file device_merge.cuh
 * @brief cub::DeviceMerge: one sorted array of two.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_MERGE_CUH
#define UMSIM_CUB_DEVICE_DEVICE_MERGE_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Merges two sorted arrays; of equal elements the first array's come first. */
struct DeviceMerge {
    template <class _Ip, class _Jp, class _Op, class _Cp = std::less<>>
    static cudaError_t MergeKeys(void *__storage, std::size_t &__bytes, _Ip __a, std::int64_t __na, _Jp __b,
                                 std::int64_t __nb, _Op __out, _Cp __less = {},
                                 cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            thrust::detail::merge_op::go(__s, __a, __a + __na, __b, __b + __nb, __out, __less);
        });
    }
    template <class _Ip, class _Vp, class _Jp, class _Wp, class _Op, class _Qp, class _Cp = std::less<>>
    static cudaError_t MergePairs(void *__storage, std::size_t &__bytes, _Ip __a, _Vp __v, std::int64_t __na,
                                  _Jp __b, _Wp __w, std::int64_t __nb, _Op __keys_out, _Qp __values_out,
                                  _Cp __less = {}, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            thrust::detail::merge_by_key_op::go(__s, __a, __a + __na, __b, __b + __nb, __v, __w, __keys_out,
                                                __values_out, __less);
        });
    }
};
} // namespace cub

#endif
