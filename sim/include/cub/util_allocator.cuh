/**
 * @file util_allocator.cuh
 * @brief cub::CachingDeviceAllocator: device memory that is used again instead of being freed.
 */
#ifndef UMSIM_CUB_UTIL_ALLOCATOR_CUH
#define UMSIM_CUB_UTIL_ALLOCATOR_CUH

#include "util_device.cuh"

#include <map>
#include <mutex>

namespace cub
{
/**
 * Keeps freed memory by sizes, which are powers of `bin_growth`: default 512 bytes to 2 MiB, and 6,291,455
 * bytes of a device at most. Larger requests are allocated and freed at once. A block is used again in the
 * stream that it was allocated for, or when that stream has done what was asked for before the block was
 * freed. Thread-safe.
 */
struct CachingDeviceAllocator {
    static constexpr unsigned INVALID_BIN = (unsigned)-1;
    static constexpr std::size_t INVALID_SIZE = (std::size_t)-1;
    static constexpr int INVALID_DEVICE_ORDINAL = -1;

    unsigned bin_growth, min_bin, max_bin;
    std::size_t min_bin_bytes, max_bin_bytes, max_cached_bytes;
    bool skip_cleanup, debug = false;

    CachingDeviceAllocator(unsigned __growth, unsigned __min = 1, unsigned __max = INVALID_BIN,
                           std::size_t __cached = INVALID_SIZE, bool __skip_cleanup = false)
        : bin_growth(__growth), min_bin(__min), max_bin(__max), min_bin_bytes(power(__growth, __min)),
          max_bin_bytes(power(__growth, __max)), max_cached_bytes(__cached), skip_cleanup(__skip_cleanup)
    {
    }
    explicit CachingDeviceAllocator(bool __skip_cleanup = false, bool __debug = false)
        : CachingDeviceAllocator(8, 3, 7, power(8, 7) * 3 - 1, __skip_cleanup)
    {
        debug = __debug;
    }
    CachingDeviceAllocator(const CachingDeviceAllocator &) = delete;
    virtual ~CachingDeviceAllocator()
    {
        if (!skip_cleanup)
            FreeAllCached();
    }

    /** Frees what the new limit does not allow only when more is freed. */
    cudaError_t SetMaxCachedBytes(std::size_t __bytes)
    {
        const std::lock_guard<std::mutex> __lock(__mutex_);
        max_cached_bytes = __bytes;
        return cudaSuccess;
    }
    cudaError_t DeviceAllocate(void **__p, std::size_t __bytes, cudaStream_t __stream = nullptr)
    {
        return DeviceAllocate(INVALID_DEVICE_ORDINAL, __p, __bytes, __stream);
    }
    /** `__device_` of INVALID_DEVICE_ORDINAL is the current one. Out of memory, what is cached is freed
     * first. */
    cudaError_t DeviceAllocate(int __device_, void **__p, std::size_t __bytes,
                               cudaStream_t __stream = nullptr)
    {
        *__p = nullptr;
        const std::lock_guard<std::mutex> __lock(__mutex_);
        block __wanted{__device_ == INVALID_DEVICE_ORDINAL ? CurrentDevice() : __device_, bin_of(__bytes),
                       __stream, nullptr};
        const SwitchDevice __there(__wanted.device);
        const auto __range = __cached_.equal_range({__wanted.device, __wanted.bytes});
        for (auto __i = __range.first; __i != __range.second; ++__i) {
            block &__b = __i->second.second;
            if (__b.stream != __stream && cudaEventQuery(__b.freed) != cudaSuccess) {
                cudaGetLastError(); /* not ready yet */
                continue;
            }
            *__p = __i->second.first;
            __wanted.freed = __b.freed;
            __cached_bytes_[__wanted.device] -= __wanted.bytes;
            __cached_.erase(__i);
            __live_[*__p] = __wanted;
            return cudaSuccess;
        }
        const std::size_t __size = __wanted.bytes ? __wanted.bytes : __bytes;
        cudaError_t __status = cudaMalloc(__p, __size);
        if (__status == cudaErrorMemoryAllocation && !__cached_.empty()) {
            cudaGetLastError();
            free_cached();
            __status = cudaMalloc(__p, __size);
        }
        if (__status == cudaSuccess && __wanted.bytes)
            __status = cudaEventCreateWithFlags(&__wanted.freed, cudaEventDisableTiming);
        if (__status == cudaSuccess)
            __live_[*__p] = __wanted;
        return __status;
    }
    cudaError_t DeviceFree(int, void *__p)
    {
        return DeviceFree(__p);
    }
    cudaError_t DeviceFree(void *__p)
    {
        const std::lock_guard<std::mutex> __lock(__mutex_);
        const auto __found = __live_.find(__p);
        if (__found == __live_.end())
            return cudaFree(__p);
        const block __b = __found->second;
        __live_.erase(__found);
        const SwitchDevice __there(__b.device);
        std::size_t &__kept = __cached_bytes_[__b.device];
        if (!__b.bytes || __kept + __b.bytes > max_cached_bytes)
            return release(__p, __b);
        __kept += __b.bytes;
        __cached_.insert({{__b.device, __b.bytes}, {__p, __b}});
        return cudaEventRecord(__b.freed, __b.stream);
    }
    cudaError_t FreeAllCached()
    {
        const std::lock_guard<std::mutex> __lock(__mutex_);
        return free_cached();
    }

  private:
    /* `bytes` is 0 for what is never cached. */
    struct block {
        int device;
        std::size_t bytes;
        cudaStream_t stream;
        cudaEvent_t freed;
    };
    static std::size_t power(std::size_t __base, unsigned __exponent)
    {
        std::size_t __result = 1;
        while (__exponent-- > 0) {
            if (__result > INVALID_SIZE / __base)
                return INVALID_SIZE;
            __result *= __base;
        }
        return __result;
    }
    std::size_t bin_of(std::size_t __bytes) const
    {
        if (__bytes > max_bin_bytes)
            return 0;
        std::size_t __bin = min_bin_bytes;
        while (__bin < __bytes)
            __bin *= bin_growth;
        return __bin;
    }
    static cudaError_t release(void *__p, const block &__b)
    {
        const cudaError_t __status = cudaFree(__p);
        if (__b.freed)
            cudaEventDestroy(__b.freed);
        return __status;
    }
    cudaError_t free_cached()
    {
        cudaError_t __status = cudaSuccess;
        for (const auto &__entry : __cached_) {
            const SwitchDevice __there(__entry.first.first);
            const cudaError_t __this = release(__entry.second.first, __entry.second.second);
            __status = __status == cudaSuccess ? __this : __status;
        }
        __cached_.clear();
        __cached_bytes_.clear();
        return __status;
    }

    std::mutex __mutex_;
    std::multimap<std::pair<int, std::size_t>, std::pair<void *, block>> __cached_;
    std::map<void *, block> __live_;
    std::map<int, std::size_t> __cached_bytes_;
};
} // namespace cub

#endif
