/**
 * @file memory_resource.h
 * @brief Sources of memory: the base of those that programs write, and those of the host and the device.
 */
#ifndef UMSIM_THRUST_MR_MEMORY_RESOURCE_H
#define UMSIM_THRUST_MR_MEMORY_RESOURCE_H

#include "../detail/memory.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/counting_iterator.h"
#include "../detail/discard_iterator.h"
#include "../detail/distance.h"
#include "../detail/functional.h"
#include "../detail/transforming.h"
#include "../detail/zip_iterator.h"

namespace thrust
{
namespace mr
{
/** A program's own derives from it; `_Pointer` is a pointer to void. */
template <class _Pointer = void *> class memory_resource
{
  public:
    using pointer = _Pointer;
    static constexpr std::size_t alignment = alignof(std::max_align_t);
    virtual ~memory_resource() = default;
    pointer allocate(std::size_t __bytes, std::size_t __alignment = alignment)
    {
        return do_allocate(__bytes, __alignment);
    }
    void deallocate(pointer __p, std::size_t __bytes, std::size_t __alignment = alignment) noexcept
    {
        do_deallocate(__p, __bytes, __alignment);
    }
    bool is_equal(const memory_resource &__other) const noexcept
    {
        return do_is_equal(__other);
    }
    virtual pointer do_allocate(std::size_t __bytes, std::size_t __alignment) = 0;
    virtual void do_deallocate(pointer __p, std::size_t __bytes, std::size_t __alignment) = 0;
    virtual bool do_is_equal(const memory_resource &__other) const noexcept
    {
        return this == &__other;
    }
    friend bool operator==(const memory_resource &__a, const memory_resource &__b) noexcept
    {
        return &__a == &__b || __a.is_equal(__b);
    }
    friend bool operator!=(const memory_resource &__a, const memory_resource &__b) noexcept
    {
        return !(__a == __b);
    }
};

/** @return the one resource of a class that needs no arguments */
template <class _Resource> _Resource *get_global_resource()
{
    static _Resource __resource;
    return &__resource;
}

/** Operators new and delete. */
class new_delete_resource final : public memory_resource<>
{
  public:
    void *do_allocate(std::size_t __bytes, std::size_t __alignment) override
    {
        return ::operator new(__bytes, std::align_val_t(__alignment));
    }
    void do_deallocate(void *__p, std::size_t, std::size_t __alignment) override
    {
        ::operator delete(__p, std::align_val_t(__alignment));
    }
};
} // namespace mr

namespace detail
{
/* What one of CUDA's functions allocates. @throws std::bad_alloc */
template <class _Pointer, cudaError_t (*_Get)(void **, std::size_t), cudaError_t (*_Put)(void *)>
class cuda_resource final : public mr::memory_resource<_Pointer>
{
  public:
    _Pointer do_allocate(std::size_t __bytes, std::size_t) override
    {
        void *__p = nullptr;
        if (_Get(&__p, __bytes) != cudaSuccess) {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        return _Pointer(__p);
    }
    void do_deallocate(_Pointer __p, std::size_t, std::size_t) override
    {
        if constexpr (std::is_pointer_v<_Pointer>)
            _Put(__p);
        else
            _Put(__p.get());
    }
};
inline cudaError_t get_device(void **__p, std::size_t __bytes)
{
    return cudaMalloc(__p, __bytes);
}
inline cudaError_t get_managed(void **__p, std::size_t __bytes)
{
    return cudaMallocManaged(__p, __bytes);
}
inline cudaError_t get_pinned(void **__p, std::size_t __bytes)
{
    return cudaMallocHost(__p, __bytes);
}
} // namespace detail

using device_memory_resource = detail::cuda_resource<device_ptr<void>, detail::get_device, cudaFree>;
using universal_memory_resource = detail::cuda_resource<void *, detail::get_managed, cudaFree>;
using universal_host_pinned_memory_resource = detail::cuda_resource<void *, detail::get_pinned, cudaFreeHost>;
using host_memory_resource = mr::new_delete_resource;
namespace cuda
{
using memory_resource = device_memory_resource;
using thrust::universal_host_pinned_memory_resource;
using thrust::universal_memory_resource;
} // namespace cuda
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
