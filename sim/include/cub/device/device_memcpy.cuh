/**
 * @file device_memcpy.cuh
 * @brief cub::DeviceMemcpy: copies many buffers in one call.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_MEMCPY_CUH
#define UMSIM_CUB_DEVICE_DEVICE_MEMCPY_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Copies many buffers, a thread for each; sizes are in bytes. */
struct DeviceMemcpy {
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Batched(void *__storage, std::size_t &__bytes, _Ip __from, _Op __to, _Np __sizes,
                               std::int64_t __buffers, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            auto __sources = detail::raw(__from);
            auto __targets = detail::raw(__to);
            auto __size = detail::raw(__sizes);
            detail::each(__s, __buffers, [=](detail::index __b) mutable {
                memcpy((void *)__targets[__b], (const void *)__sources[__b], __size[__b]);
            });
        });
    }
};
} // namespace cub

#endif
