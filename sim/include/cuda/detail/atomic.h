/**
 * @file atomic.h
 * @brief <cuda/atomic>, <cuda/std/atomic>: atomic objects and references, fences.
 *
 * Of 1, 2, 4 and 8 bytes. Beside C++'s own operations: fetch_min() and fetch_max(), additions of float and
 * double.
 */
#ifndef UMSIM_CUDA_ATOMIC_H
#define UMSIM_CUDA_ATOMIC_H

#include <type_traits>

#include "scope.h"

namespace cuda
{

/** @cond internal */
namespace detail
{

/* What an atomic object and a reference to one can do; `Self` says where the value stands. */
template <class Self, class T> class atomic_operations
{
    static_assert(__is_trivially_copyable(T), "an atomic's type is copied byte by byte");
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "atomics of 1, 2, 4 and 8 bytes are provided");

  public:
    typedef T value_type;
    static constexpr bool is_always_lock_free = true;

    bool is_lock_free() const noexcept
    {
        return true;
    }
    void store(T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        __atomic_store(place(), &value, (int)order);
    }
    T load(memory_order order = memory_order_seq_cst) const noexcept
    {
        bytes value;
        __atomic_load(place(), value.get(), (int)order);
        return *value.get();
    }
    operator T() const noexcept
    {
        return load();
    }
    T exchange(T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        bytes old;
        __atomic_exchange(place(), &value, old.get(), (int)order);
        return *old.get();
    }
    bool compare_exchange_strong(T &expected, T value,
                                 memory_order order = memory_order_seq_cst) const noexcept
    {
        return __atomic_compare_exchange(place(), &expected, &value, false, (int)order, __ATOMIC_RELAXED);
    }
    bool compare_exchange_strong(T &expected, T value, memory_order success, memory_order) const noexcept
    {
        return compare_exchange_strong(expected, value, success);
    }
    bool compare_exchange_weak(T &expected, T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        return compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_weak(T &expected, T value, memory_order success, memory_order) const noexcept
    {
        return compare_exchange_strong(expected, value, success);
    }

    /** Waits until the value is another. */
    __host__ __device__ void wait(T old, memory_order order = memory_order_seq_cst,
                                  UMSIM_PLACE) const noexcept
    {
        wait_until([&] { return !same(load(order), old); }, [] { return 0u; }, place(), "atomic::wait()",
                   file, line);
        umsim_synchronised(0);
    }
    void notify_one() const noexcept
    {
    }
    void notify_all() const noexcept
    {
    }

    template <class U> T fetch_add(U value, memory_order order = memory_order_seq_cst) const noexcept
    {
        if constexpr (::std::is_integral<T>::value)
            return __atomic_fetch_add(place(), (T)value, (int)order);
        else if constexpr (::std::is_pointer<T>::value)
            return __atomic_fetch_add(place(), (ptrdiff_t)value * (ptrdiff_t)sizeof(*T()), (int)order);
        else
            return update([value](T seen) { return seen + value; }, order);
    }
    template <class U> T fetch_sub(U value, memory_order order = memory_order_seq_cst) const noexcept
    {
        if constexpr (::std::is_integral<T>::value)
            return __atomic_fetch_sub(place(), (T)value, (int)order);
        else if constexpr (::std::is_pointer<T>::value)
            return fetch_add(-(ptrdiff_t)value, order);
        else
            return update([value](T seen) { return seen - value; }, order);
    }
    T fetch_and(T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        return __atomic_fetch_and(place(), value, (int)order);
    }
    T fetch_or(T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        return __atomic_fetch_or(place(), value, (int)order);
    }
    T fetch_xor(T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        return __atomic_fetch_xor(place(), value, (int)order);
    }
    T fetch_min(T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        return update([value](T seen) { return value < seen ? value : seen; }, order);
    }
    T fetch_max(T value, memory_order order = memory_order_seq_cst) const noexcept
    {
        return update([value](T seen) { return seen < value ? value : seen; }, order);
    }

    T operator++() const noexcept
    {
        return fetch_add(1) + 1;
    }
    T operator++(int) const noexcept
    {
        return fetch_add(1);
    }
    T operator--() const noexcept
    {
        return fetch_sub(1) - 1;
    }
    T operator--(int) const noexcept
    {
        return fetch_sub(1);
    }
    template <class U> T operator+=(U value) const noexcept
    {
        return fetch_add(value) + value;
    }
    template <class U> T operator-=(U value) const noexcept
    {
        return fetch_sub(value) - value;
    }
    T operator&=(T value) const noexcept
    {
        return fetch_and(value) & value;
    }
    T operator|=(T value) const noexcept
    {
        return fetch_or(value) | value;
    }
    T operator^=(T value) const noexcept
    {
        return fetch_xor(value) ^ value;
    }

  private:
    /* Room for a value without a constructor's call. */
    struct bytes {
        alignas(T) unsigned char room[sizeof(T)];
        T *get()
        {
            return reinterpret_cast<T *>(room);
        }
    };
    T *place() const
    {
        return static_cast<const Self *>(this)->address();
    }
    static bool same(const T &a, const T &b)
    {
        return __builtin_memcmp(&a, &b, sizeof(T)) == 0;
    }
    template <class Next> T update(Next next, memory_order order) const
    {
        T seen = load(memory_order_relaxed);
        while (!compare_exchange_strong(seen, next(seen), order)) {
        }
        return seen;
    }
};

} // namespace detail
/** @endcond */

/** An atomic object. In __shared__ memory it has no value until one is stored. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public detail::atomic_operations<atomic<T, Scope>, T>
{
  public:
    atomic() noexcept = default;
    constexpr atomic(T value) noexcept : value_(value)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    T operator=(T value) noexcept
    {
        this->store(value);
        return value;
    }

  private:
    friend class detail::atomic_operations<atomic, T>;
    T *address() const
    {
        return const_cast<T *>(&value_);
    }
    alignas(sizeof(T)) T value_;
};

/** Atomic operations on an object that is not atomic. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public detail::atomic_operations<atomic_ref<T, Scope>, T>
{
  public:
    static constexpr size_t required_alignment = sizeof(T);
    explicit atomic_ref(T &object) noexcept : object_(&object)
    {
    }
    atomic_ref(const atomic_ref &) noexcept = default;
    T operator=(T value) const noexcept
    {
        this->store(value);
        return value;
    }

  private:
    friend class detail::atomic_operations<atomic_ref, T>;
    T *address() const
    {
        return object_;
    }
    T *object_;
};

/** What was written before is seen before what is written after. */
inline void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) noexcept
{
    __atomic_thread_fence((int)order);
}
/** The same for a signal handler of the same thread. */
inline void atomic_signal_fence(memory_order order) noexcept
{
    __atomic_signal_fence((int)order);
}

namespace std
{

/** cuda::atomic of the widest scope. */
template <class T> class atomic : public ::cuda::atomic<T, thread_scope_system>
{
  public:
    atomic() noexcept = default;
    constexpr atomic(T value) noexcept : ::cuda::atomic<T, thread_scope_system>(value)
    {
    }
    using ::cuda::atomic<T, thread_scope_system>::operator=;
};
template <class T> class atomic_ref : public ::cuda::atomic_ref<T, thread_scope_system>
{
  public:
    explicit atomic_ref(T &object) noexcept : ::cuda::atomic_ref<T, thread_scope_system>(object)
    {
    }
    using ::cuda::atomic_ref<T, thread_scope_system>::operator=;
};

/** A flag that can be set and cleared. */
class atomic_flag
{
  public:
    atomic_flag() noexcept = default;
    constexpr atomic_flag(bool set) noexcept : set_(set)
    {
    }
    bool test(memory_order order = memory_order_seq_cst) const noexcept
    {
        return set_.load(order) != 0;
    }
    bool test_and_set(memory_order order = memory_order_seq_cst) noexcept
    {
        return set_.exchange(1, order) != 0;
    }
    void clear(memory_order order = memory_order_seq_cst) noexcept
    {
        set_.store(0, order);
    }
    __host__ __device__ void wait(bool old, memory_order order = memory_order_seq_cst,
                                  UMSIM_PLACE) const noexcept
    {
        set_.wait(old, order, file, line);
    }
    void notify_one() noexcept
    {
    }
    void notify_all() noexcept
    {
    }

  private:
    ::cuda::atomic<int> set_;
};

using ::cuda::atomic_signal_fence;
inline void atomic_thread_fence(memory_order order) noexcept
{
    __atomic_thread_fence((int)order);
}

typedef atomic<bool> atomic_bool;
typedef atomic<char> atomic_char;
typedef atomic<signed char> atomic_schar;
typedef atomic<unsigned char> atomic_uchar;
typedef atomic<short> atomic_short;
typedef atomic<unsigned short> atomic_ushort;
typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
typedef atomic<long> atomic_long;
typedef atomic<unsigned long> atomic_ulong;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
typedef atomic<int32_t> atomic_int32_t;
typedef atomic<uint32_t> atomic_uint32_t;
typedef atomic<int64_t> atomic_int64_t;
typedef atomic<uint64_t> atomic_uint64_t;
typedef atomic<size_t> atomic_size_t;
typedef atomic<ptrdiff_t> atomic_ptrdiff_t;

} // namespace std
} // namespace cuda

#endif
