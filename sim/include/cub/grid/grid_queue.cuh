/**
 * @file grid_queue.cuh
 * @brief cub::GridQueue: counters from which blocks fetch their next elements.
 */
#ifndef UMSIM_CUB_GRID_GRID_QUEUE_CUH
#define UMSIM_CUB_GRID_GRID_QUEUE_CUH

#include "../util_debug.cuh"

namespace cub
{
/** Two counters in device memory: how many elements there are, and how many were fetched. */
template <class _Offset> class GridQueue
{
    _Offset *__counters_ = nullptr;
    enum { FILL, DRAIN };

  public:
    static std::size_t AllocationSize()
    {
        return 2 * sizeof(_Offset);
    }
    GridQueue() = default;
    __host__ __device__ explicit GridQueue(void *__storage) : __counters_((_Offset *)__storage)
    {
    }
    /** @name Called by the host @{ */
    cudaError_t FillAndResetDrain(_Offset __size, cudaStream_t __stream = nullptr)
    {
        const _Offset __values[2] = {__size, 0};
        return cudaMemcpyAsync(__counters_, __values, sizeof(__values), cudaMemcpyHostToDevice, __stream);
    }
    cudaError_t ResetDrain(cudaStream_t __stream = nullptr)
    {
        return cudaMemsetAsync(__counters_ + DRAIN, 0, sizeof(_Offset), __stream);
    }
    cudaError_t ResetFill(cudaStream_t __stream = nullptr)
    {
        return cudaMemsetAsync(__counters_ + FILL, 0, sizeof(_Offset), __stream);
    }
    cudaError_t FillSize(_Offset &__size, cudaStream_t __stream = nullptr)
    {
        return cudaMemcpyAsync(&__size, __counters_ + FILL, sizeof(_Offset), cudaMemcpyDeviceToHost,
                               __stream);
    }
    /** @} */
    /** @return the counter's value before `__count` is added @{ */
    __device__ _Offset Drain(_Offset __count)
    {
        return atomicAdd(__counters_ + DRAIN, __count);
    }
    __device__ _Offset Fill(_Offset __count)
    {
        return atomicAdd(__counters_ + FILL, __count);
    }
    /** @} */
};
} // namespace cub

#endif
