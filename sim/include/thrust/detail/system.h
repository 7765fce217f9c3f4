/**
 * @file system.h
 * @brief Where an algorithm runs (given by a policy, or by the memory that its iterators refer to), and the
 * one way of running all of them.
 *
 * Every algorithm is written once, over each(): on the device a kernel with a thread per index, on the host
 * and inside a kernel a loop. Where one thread per element would not do, parts() divides the array into
 * ranges of neighbours, with one thread for each. All calls return when their work is done, and throw
 * thrust::system_error when a kernel failed.
 */
#ifndef UMSIM_THRUST_SYSTEM_H
#define UMSIM_THRUST_SYSTEM_H

#include "../../cuda/detail/brought_by_cccl.h"
#include "../../cuda_runtime.h"
#include "../../umsim/library.h"

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <iostream> /* for programs: NVIDIA's Thrust includes it */
#include <new>
#include <type_traits>

#include "system_error.h"

/** The version that this Thrust replaces. */
#define THRUST_VERSION 300000
#define THRUST_MAJOR_VERSION 3
#define THRUST_MINOR_VERSION 0
#define THRUST_SUBMINOR_VERSION 0

namespace thrust
{
namespace detail
{

/* The memory that an iterator refers to. Computed numbers (counting_iterator) are anywhere. */
enum class memory_space { none, anywhere, host, device };

template <class _Tp, class = void> struct has_memory_space : std::false_type {
};
template <class _Tp>
struct has_memory_space<_Tp, std::void_t<decltype(_Tp::thrust_memory_space)>> : std::true_type {
};
template <class _Tp, class = void> struct is_iterator : std::false_type {
};
template <class _Tp>
struct is_iterator<_Tp, std::void_t<typename std::iterator_traits<_Tp>::iterator_category>> : std::true_type {
};

template <class _Tp> constexpr memory_space memory_space_of()
{
    if constexpr (has_memory_space<_Tp>::value)
        return _Tp::thrust_memory_space;
    else if constexpr (is_iterator<_Tp>::value)
        return memory_space::host;
    else
        return memory_space::none;
}

/* Iterators of this Thrust have a method that gives what they refer to; a kernel uses that. */
template <class _Ip, class = void> struct has_raw : std::false_type {
};
template <class _Ip>
struct has_raw<_Ip, std::void_t<decltype(std::declval<const _Ip &>().thrust_raw())>> : std::true_type {
};
template <class _Ip> auto raw(const _Ip &__i)
{
    if constexpr (has_raw<_Ip>::value)
        return __i.thrust_raw();
    else
        return __i;
}

template <class _Ip> using value_of = std::remove_cv_t<typename std::iterator_traits<_Ip>::value_type>;
using index = std::ptrdiff_t;

/* @throws thrust::system_error */
inline void check(cudaError_t __status, const char *__what)
{
    if (__status != cudaSuccess)
        throw system_error(__status, cuda_category(), __what);
}

#ifdef __UMCC__
template <class _Fp> __global__ void each_index(index __n, _Fp __f)
{
    const index __i = (index)blockIdx.x * blockDim.x + threadIdx.x;
    if (__i < __n)
        __f(__i);
}

/* Calls f(0) to f(n - 1) in threads of a kernel. */
template <class _Fp> void launch(index __n, _Fp __f, cudaStream_t __stream)
{
    if (__n <= 0)
        return;
    each_index<<<(unsigned)((__n + 255) / 256), 256, 0, __stream>>>(__n, __f);
    check(cudaGetLastError(), "a kernel of Thrust's did not start");
}
#else
/* A plain C++ compiler makes no kernels: only what runs on the host compiles, as with NVIDIA's Thrust. */
template <class _Fp> void launch(index, _Fp, cudaStream_t)
{
    static_assert(sizeof(_Fp) == 0, "Thrust's algorithms on device memory are kernels: name this file .cu, "
                                    "and compile it by umcc");
}
#endif

/* Loops of the calling thread, on the host or in a kernel. */
struct on_host {
    static constexpr bool device = false;
    cudaStream_t stream = nullptr;
};

/* Kernels; within a kernel, loops. */
struct on_device {
    static constexpr bool device = true;
    cudaStream_t stream = nullptr;
};

/* Calls f(0) to f(n - 1), in any order. */
template <class _Sp, class _Fp> void each(_Sp __s, index __n, _Fp __f)
{
    if constexpr (_Sp::device)
        if (!umsim_in_kernel()) {
            launch(__n, __f, __s.stream);
            check(cudaStreamSynchronize(__s.stream), "a kernel of Thrust's failed");
            return;
        }
    for (index __i = 0; __i < __n; __i++)
        __f(__i);
}

/* The number of parts that `__n` elements are divided into. */
template <class _Sp> index parts(_Sp, index __n)
{
    if (!_Sp::device || umsim_in_kernel())
        return __n > 0;
    const index __wanted = (__n + 63) / 64;
    return __wanted < 1024 ? __wanted : 1024;
}

inline index part_begin(index __part, index __count, index __n)
{
    return __n / __count * __part + (__part < __n % __count ? __part : __n % __count);
}

/* @return the address of `n` elements that kernels (device) or the host can use; NULL if there is no memory
 */
template <class _Sp> void *allocate(_Sp, std::size_t __bytes)
{
    void *__p = nullptr;
    if (__bytes == 0)
        return __p;
    if (umsim_in_kernel())
        return umsim_kernel_malloc(__bytes, 16);
    if constexpr (_Sp::device) {
        if (cudaMalloc(&__p, __bytes) != cudaSuccess) {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        return __p;
    }
    __p = std::malloc(__bytes);
    if (!__p)
        throw std::bad_alloc();
    return __p;
}

template <class _Sp> void release(_Sp, void *__p)
{
    if (umsim_in_kernel())
        umsim_free(__p);
    else if (_Sp::device)
        cudaFree(__p);
    else
        std::free(__p);
}

/* Memory for `n` elements, for the duration of one call of an algorithm. */
template <class _Tp, class _Sp> class temporary
{
  public:
    temporary(_Sp __s, index __n) : __system_(__s), __p_((_Tp *)allocate(__s, __n * sizeof(_Tp)))
    {
        if constexpr (_Sp::device) {
            /* Structures are copied with the padding between members, which umcc --check would report as
             * never written. */
            if constexpr (!std::has_unique_object_representations_v<_Tp> && !std::is_floating_point_v<_Tp>)
                if (__n > 0 && !umsim_in_kernel())
                    cudaMemsetAsync((void *)__p_, 0, __n * sizeof(_Tp), __s.stream);
        } else if constexpr (!std::is_trivially_default_constructible_v<_Tp>)
            for (index __i = 0; __i < __n; __i++)
                ::new ((void *)(__p_ + __i)) _Tp();
    }
    temporary(const temporary &) = delete;
    temporary &operator=(const temporary &) = delete;
    ~temporary()
    {
        release(__system_, __p_);
    }
    _Tp *get() const
    {
        return __p_;
    }
    /* @return element `__i`, for the host */
    _Tp read(index __i) const
    {
        if (!_Sp::device || umsim_in_kernel())
            return __p_[__i];
        alignas(_Tp) unsigned char __bytes[sizeof(_Tp)];
        check(cudaMemcpy(__bytes, __p_ + __i, sizeof(_Tp), cudaMemcpyDeviceToHost), "a result's copy failed");
        return *(_Tp *)__bytes;
    }

  private:
    _Sp __system_;
    _Tp *__p_;
};

/* The base of all policies. */
template <class _Sp> struct policy {
    using system = _Sp;
    _Sp where;
    constexpr _Sp thrust_system() const
    {
        return where;
    }
};
template <class _Tp, class = void> struct is_policy : std::false_type {
};
template <class _Tp>
struct is_policy<_Tp, std::void_t<decltype(std::declval<const _Tp &>().thrust_system())>> : std::true_type {
};

template <class... _Ap> constexpr auto system_of()
{
    constexpr bool __device = ((memory_space_of<_Ap>() == memory_space::device) || ...);
    constexpr bool __host = ((memory_space_of<_Ap>() == memory_space::host) || ...);
    static_assert(!(__device && __host),
                  "Thrust: iterators of the host and of the device in one call; copy() first");
    if constexpr (__host)
        return on_host{};
    else
        return on_device{};
}

/* Calls Op::go(where, arguments...). */
template <class _Op, class _First, class... _Rest> auto run(_First __first, _Rest... __rest)
{
    if constexpr (is_policy<_First>::value)
        return _Op::go(__first.thrust_system(), __rest...);
    else
        return _Op::go(system_of<_First, _Rest...>(), __first, __rest...);
}

} // namespace detail

/** @name Policies: where an algorithm runs, before its other arguments @{ */
struct device_execution : detail::policy<detail::on_device> {
    /** On a stream; the call still waits for it. */
    constexpr detail::policy<detail::on_device> on(cudaStream_t __stream) const
    {
        return {detail::on_device{__stream}};
    }
    /** Accepts an allocator for temporaries, which here are allocated by cudaMalloc. */
    template <class _Allocator> constexpr device_execution operator()(const _Allocator &) const
    {
        return {};
    }
};
struct host_execution : detail::policy<detail::on_host> {
};

inline constexpr device_execution device{};
inline constexpr host_execution host{};
inline constexpr host_execution seq{};
namespace cuda
{
inline constexpr device_execution par{};
inline constexpr device_execution par_nosync{};
} // namespace cuda
namespace system
{
namespace cuda = ::thrust::cuda;
}
/** @} */

} // namespace thrust

#endif
