/**
 * @file system.h
 * @brief Where an algorithm runs (policies, and where iterators lead), and the one way in which all of them
 * run.
 *
 * Every algorithm is written once, over each(): a kernel with a thread per index on the device, a loop on the
 * host and inside a kernel. Where one thread per element would not do, an array is cut into parts() of
 * neighbours, a thread each. All calls return when their work is done, and throw thrust::system_error when a
 * kernel failed.
 */
#ifndef UMSIM_THRUST_SYSTEM_H
#define UMSIM_THRUST_SYSTEM_H

#include "../../cuda_runtime.h"
#include "../../umsim/library.h"

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <iostream> /* for programs: NVIDIA's Thrust brings it */
#include <new>
#include <type_traits>

#include "../system_error.h"

/** The version that this stands in for. */
#define THRUST_VERSION 300000
#define THRUST_MAJOR_VERSION 3
#define THRUST_MINOR_VERSION 0
#define THRUST_SUBMINOR_VERSION 0

namespace thrust
{
namespace detail
{

/* Which memory an iterator leads to. Numbers that are computed (counting_iterator) are anywhere. */
enum class room { none, anywhere, host, device };

template <class T, class = void> struct has_room : std::false_type {
};
template <class T> struct has_room<T, std::void_t<decltype(T::thrust_room)>> : std::true_type {
};
template <class T, class = void> struct is_iterator : std::false_type {
};
template <class T>
struct is_iterator<T, std::void_t<typename std::iterator_traits<T>::iterator_category>> : std::true_type {
};

template <class T> constexpr room room_of()
{
    if constexpr (has_room<T>::value)
        return T::thrust_room;
    else if constexpr (is_iterator<T>::value)
        return room::host;
    else
        return room::none;
}

/* Ours have a method for what stands behind them; a kernel uses that. */
template <class I, class = void> struct has_raw : std::false_type {
};
template <class I>
struct has_raw<I, std::void_t<decltype(std::declval<const I &>().thrust_raw())>> : std::true_type {
};
template <class I> auto raw(const I &i)
{
    if constexpr (has_raw<I>::value)
        return i.thrust_raw();
    else
        return i;
}

template <class I> using value_of = std::remove_cv_t<typename std::iterator_traits<I>::value_type>;
using index = std::ptrdiff_t;

/* @throws thrust::system_error */
inline void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        throw system_error(status, cuda_category(), what);
}

template <class F> __global__ void each_index(index n, F f)
{
    const index i = (index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}

/* Loops of the calling thread, be it the host's or a kernel's. */
struct on_host {
    static constexpr bool device = false;
    cudaStream_t stream = nullptr;
};

/* Kernels. In a kernel, loops. */
struct on_device {
    static constexpr bool device = true;
    cudaStream_t stream = nullptr;
};

/* Calls f(0) to f(n - 1), in any order. */
template <class S, class F> void each(S s, index n, F f)
{
    if constexpr (S::device)
        if (!umsim_in_kernel()) {
            if (n <= 0)
                return;
            each_index<<<(unsigned)((n + 255) / 256), 256, 0, s.stream>>>(n, f);
            check(cudaGetLastError(), "a kernel of Thrust's did not start");
            check(cudaStreamSynchronize(s.stream), "a kernel of Thrust's failed");
            return;
        }
    for (index i = 0; i < n; i++)
        f(i);
}

/* Into how many parts `n` elements are cut. */
template <class S> index parts(S, index n)
{
    if (!S::device || umsim_in_kernel())
        return n > 0;
    const index wanted = (n + 63) / 64;
    return wanted < 1024 ? wanted : 1024;
}

inline index part_begin(index part, index count, index n)
{
    return n / count * part + (part < n % count ? part : n % count);
}

/* @return the address of `n` elements that kernels (device) or the host can use; NULL for none */
template <class S> void *allocate(S, std::size_t bytes)
{
    void *p = nullptr;
    if (bytes == 0)
        return p;
    if (umsim_in_kernel())
        return umsim_kernel_malloc(bytes, 16);
    if constexpr (S::device) {
        if (cudaMalloc(&p, bytes) != cudaSuccess) {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        return p;
    }
    p = std::malloc(bytes);
    if (!p)
        throw std::bad_alloc();
    return p;
}

template <class S> void release(S, void *p)
{
    if (umsim_in_kernel())
        umsim_free(p);
    else if (S::device)
        cudaFree(p);
    else
        std::free(p);
}

/* Room for `n` elements that lasts as long as a call of an algorithm. */
template <class T, class S> class temporary
{
  public:
    temporary(S s, index n) : system_(s), p_((T *)allocate(s, n * sizeof(T)))
    {
        if constexpr (S::device) {
            /* Structures are copied with the gaps between members, which umcc --check would see nobody write.
             */
            if constexpr (!std::has_unique_object_representations_v<T> && !std::is_floating_point_v<T>)
                if (n > 0 && !umsim_in_kernel())
                    cudaMemsetAsync((void *)p_, 0, n * sizeof(T), s.stream);
        } else if constexpr (!std::is_trivially_default_constructible_v<T>)
            for (index i = 0; i < n; i++)
                ::new ((void *)(p_ + i)) T();
    }
    temporary(const temporary &) = delete;
    temporary &operator=(const temporary &) = delete;
    ~temporary()
    {
        release(system_, p_);
    }
    T *get() const
    {
        return p_;
    }
    /* @return element `i`, for the host */
    T read(index i) const
    {
        if (!S::device || umsim_in_kernel())
            return p_[i];
        alignas(T) unsigned char bytes[sizeof(T)];
        check(cudaMemcpy(bytes, p_ + i, sizeof(T), cudaMemcpyDeviceToHost), "a result's copy failed");
        return *(T *)bytes;
    }

  private:
    S system_;
    T *p_;
};

/* What all policies derive from. */
template <class S> struct policy {
    using system = S;
    S where;
    constexpr S thrust_system() const
    {
        return where;
    }
};
template <class T, class = void> struct is_policy : std::false_type {
};
template <class T>
struct is_policy<T, std::void_t<decltype(std::declval<const T &>().thrust_system())>> : std::true_type {
};

template <class... A> constexpr auto system_of()
{
    constexpr bool device = ((room_of<A>() == room::device) || ...);
    constexpr bool host = ((room_of<A>() == room::host) || ...);
    static_assert(!(device && host),
                  "Thrust: iterators of the host and of the device in one call; copy() first");
    if constexpr (host)
        return on_host{};
    else
        return on_device{};
}

/* Calls Op::go(where, arguments...). */
template <class Op, class First, class... Rest> auto run(First first, Rest... rest)
{
    if constexpr (is_policy<First>::value)
        return Op::go(first.thrust_system(), rest...);
    else
        return Op::go(system_of<First, Rest...>(), first, rest...);
}

} // namespace detail

/** @name Policies: where an algorithm runs, before its other arguments @{ */
struct device_execution : detail::policy<detail::on_device> {
    /** On a stream; still waited for. */
    constexpr detail::policy<detail::on_device> on(cudaStream_t stream) const
    {
        return {detail::on_device{stream}};
    }
    /** Takes an allocator for temporaries, which here are cudaMalloc's. */
    template <class Allocator> constexpr device_execution operator()(const Allocator &) const
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
