/**
 * @file device_copy.cuh
 * @brief cub::DeviceCopy: copies many ranges in one call.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_COPY_CUH
#define UMSIM_CUB_DEVICE_DEVICE_COPY_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Copies many ranges of elements, a thread for each. */
struct DeviceCopy {
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Batched(void *__storage, std::size_t &__bytes, _Ip __from, _Op __to, _Np __counts,
                               std::int64_t __ranges, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            auto __sources = detail::raw(__from);
            auto __targets = detail::raw(__to);
            auto __count = detail::raw(__counts);
            detail::each(__s, __ranges, [=](detail::index __r) mutable {
                auto __source = __sources[__r];
                auto __target = __targets[__r];
                const auto __n = __count[__r];
                for (std::decay_t<decltype(__n)> __i = 0; __i < __n; __i++)
                    __target[__i] = __source[__i];
            });
        });
    }
};
} // namespace cub

#endif
