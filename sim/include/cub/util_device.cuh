/**
 * @file util_device.cuh
 * @brief CUB's questions about devices and kernels, and pieces of one allocation.
 */
#ifndef UMSIM_CUB_UTIL_DEVICE_CUH
#define UMSIM_CUB_UTIL_DEVICE_CUH

#include "util_debug.cuh"
#include "util_type.cuh"

namespace cub
{
template <class _Tp> __global__ void EmptyKernel()
{
}

/** @return the number of devices, or -1 */
inline int DeviceCount()
{
    int __count = -1;
    return cudaGetDeviceCount(&__count) == cudaSuccess ? __count : -1;
}
/** @return the current device, or -1 */
inline int CurrentDevice()
{
    int __device_ = -1;
    return cudaGetDevice(&__device_) == cudaSuccess ? __device_ : -1;
}
/** The compute capability: 100 * major + 10 * minor. */
inline cudaError_t SmVersion(int &__version, int __device_ = CurrentDevice())
{
    int __major = 0, __minor = 0;
    cudaError_t __status = cudaDeviceGetAttribute(&__major, cudaDevAttrComputeCapabilityMajor, __device_);
    if (__status == cudaSuccess)
        __status = cudaDeviceGetAttribute(&__minor, cudaDevAttrComputeCapabilityMinor, __device_);
    __version = 100 * __major + 10 * __minor;
    return __status;
}
/** What kernels were compiled for: 100 * major + 10 * minor. */
inline cudaError_t PtxVersion(int &__version)
{
    cudaFuncAttributes __attributes = {};
    void (*const __kernel)() = EmptyKernel<void>;
    const cudaError_t __status = cudaFuncGetAttributes(&__attributes, (const void *)__kernel);
    __version = __attributes.ptxVersion * 10;
    return __status;
}
inline cudaError_t SyncStream(cudaStream_t __stream)
{
    return cudaStreamSynchronize(__stream);
}
inline cudaError_t HasUVA(bool &__has)
{
    int __value = 0;
    const cudaError_t __status =
        cudaDeviceGetAttribute(&__value, cudaDevAttrUnifiedAddressing, CurrentDevice());
    __has = __value == 1;
    return __status;
}
/** Blocks of a kernel that a multiprocessor can have at a time. */
template <class _Kernel>
cudaError_t MaxSmOccupancy(int &__blocks, _Kernel __kernel, int __threads, int __dynamic_bytes = 0)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&__blocks, __kernel, __threads, __dynamic_bytes);
}

/** Makes a device the current one for as long as the object lives. */
class SwitchDevice
{
    int __before_;

  public:
    explicit SwitchDevice(int __device_) : __before_(CurrentDevice())
    {
        if (__device_ != __before_)
            cudaSetDevice(__device_);
    }
    ~SwitchDevice()
    {
        if (CurrentDevice() != __before_)
            cudaSetDevice(__before_);
    }
    SwitchDevice(const SwitchDevice &) = delete;
    SwitchDevice &operator=(const SwitchDevice &) = delete;
};

/** Divides one allocation into several, each at a multiple of 256 bytes; with NULL only the size is returned.
 */
template <int _Count>
cudaError_t AliasTemporaries(void *__storage, std::size_t &__bytes, void *(&__pieces)[_Count],
                             const std::size_t (&__sizes)[_Count])
{
    constexpr std::size_t __align = 256;
    std::size_t __offsets[_Count], __needed = 0;
    for (int __i = 0; __i < _Count; __i++) {
        __offsets[__i] = __needed;
        __needed += (__sizes[__i] + __align - 1) / __align * __align;
    }
    __needed += __align - 1;
    if (!__storage) {
        __bytes = __needed;
        return cudaSuccess;
    }
    if (__bytes < __needed)
        return cudaErrorInvalidValue;
    char *const __begin = (char *)(((std::size_t)__storage + __align - 1) / __align * __align);
    for (int __i = 0; __i < _Count; __i++)
        __pieces[__i] = __begin + __offsets[__i];
    return cudaSuccess;
}
} // namespace cub

#endif
