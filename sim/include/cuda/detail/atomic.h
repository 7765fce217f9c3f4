/**
 * @file atomic.h
 * @brief <cuda/atomic>, <cuda/std/atomic>: atomic objects and references, fences.
 *
 * Objects have 1, 2, 4 or 8 bytes. In addition to C++'s own operations there are fetch_min() and
 * fetch_max(), and additions of float and double.
 */
#ifndef UMSIM_CUDA_ATOMIC_H
#define UMSIM_CUDA_ATOMIC_H

#include <type_traits>

#include "../../umsim/block_scope.h"
#include "scope.h"

namespace cuda
{

/** @cond internal */
namespace detail
{

/* What a debugger, and umcc --check, show of an operation is the line that asks for it. */
#define UMSIM_AT_THE_CALL __attribute__((__always_inline__, __artificial__)) inline

/* The operations of an atomic object and of a reference to one; `_Self` gives the value's address. */
template <class _Self, class _Tp> class atomic_operations
{
    static_assert(__is_trivially_copyable(_Tp), "an atomic's type is copied byte by byte");
    static_assert(sizeof(_Tp) == 1 || sizeof(_Tp) == 2 || sizeof(_Tp) == 4 || sizeof(_Tp) == 8,
                  "atomics of 1, 2, 4 and 8 bytes are provided");

  public:
    typedef _Tp value_type;
    static constexpr bool is_always_lock_free = true;

    bool is_lock_free() const volatile noexcept
    {
        return true;
    }
    UMSIM_AT_THE_CALL void store(_Tp __value, memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        __atomic_store(at().place, &__value, (int)__order);
    }
    UMSIM_AT_THE_CALL _Tp load(memory_order __order = memory_order_seq_cst) const volatile noexcept
    {
        bytes __value;
        __atomic_load(at().place, __value.get(), (int)__order);
        return *__value.get();
    }
    operator _Tp() const volatile noexcept
    {
        return load();
    }
    UMSIM_AT_THE_CALL _Tp exchange(_Tp __value, memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        bytes __old;
        __atomic_exchange(at().place, &__value, __old.get(), (int)__order);
        return *__old.get();
    }
    UMSIM_AT_THE_CALL bool compare_exchange_strong(_Tp &__expected, _Tp __value,
                                                   memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        return __atomic_compare_exchange(at().place, &__expected, &__value, false, (int)__order,
                                         __ATOMIC_RELAXED);
    }
    bool compare_exchange_strong(_Tp &__expected, _Tp __value, memory_order __success, memory_order) const
        volatile noexcept
    {
        return compare_exchange_strong(__expected, __value, __success);
    }
    bool compare_exchange_weak(_Tp &__expected, _Tp __value,
                               memory_order __order = memory_order_seq_cst) const volatile noexcept
    {
        return compare_exchange_strong(__expected, __value, __order);
    }
    bool compare_exchange_weak(_Tp &__expected, _Tp __value, memory_order __success, memory_order) const
        volatile noexcept
    {
        return compare_exchange_strong(__expected, __value, __success);
    }

    /** Waits until the value has changed. */
    __host__ __device__ void wait(_Tp __old, memory_order __order = memory_order_seq_cst, UMSIM_PLACE) const
        volatile noexcept
    {
        wait_until([&] { return !same(load(__order), __old); }, [] { return 0u; }, place(), "atomic::wait()",
                   __file, __line);
        umsim_synchronised(0);
    }
    void notify_one() const volatile noexcept
    {
    }
    void notify_all() const volatile noexcept
    {
    }

    template <class _Up>
    UMSIM_AT_THE_CALL _Tp fetch_add(_Up __value, memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        if constexpr (::std::is_integral<_Tp>::value)
            return __atomic_fetch_add(at().place, (_Tp)__value, (int)__order);
        else if constexpr (::std::is_pointer<_Tp>::value)
            return __atomic_fetch_add(at().place, (ptrdiff_t)__value * (ptrdiff_t)sizeof(*_Tp()),
                                      (int)__order);
        else
            return update([__value](_Tp __seen) { return __seen + __value; }, __order);
    }
    template <class _Up>
    UMSIM_AT_THE_CALL _Tp fetch_sub(_Up __value, memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        if constexpr (::std::is_integral<_Tp>::value)
            return __atomic_fetch_sub(at().place, (_Tp)__value, (int)__order);
        else if constexpr (::std::is_pointer<_Tp>::value)
            return fetch_add(-(ptrdiff_t)__value, __order);
        else
            return update([__value](_Tp __seen) { return __seen - __value; }, __order);
    }
    UMSIM_AT_THE_CALL _Tp fetch_and(_Tp __value, memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        return __atomic_fetch_and(at().place, __value, (int)__order);
    }
    UMSIM_AT_THE_CALL _Tp fetch_or(_Tp __value, memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        return __atomic_fetch_or(at().place, __value, (int)__order);
    }
    UMSIM_AT_THE_CALL _Tp fetch_xor(_Tp __value, memory_order __order = memory_order_seq_cst) const
        volatile noexcept
    {
        return __atomic_fetch_xor(at().place, __value, (int)__order);
    }
    _Tp fetch_min(_Tp __value, memory_order __order = memory_order_seq_cst) const volatile noexcept
    {
        return update([__value](_Tp __seen) { return __value < __seen ? __value : __seen; }, __order);
    }
    _Tp fetch_max(_Tp __value, memory_order __order = memory_order_seq_cst) const volatile noexcept
    {
        return update([__value](_Tp __seen) { return __seen < __value ? __value : __seen; }, __order);
    }

    _Tp operator++() const volatile noexcept
    {
        return fetch_add(1) + 1;
    }
    _Tp operator++(int) const volatile noexcept
    {
        return fetch_add(1);
    }
    _Tp operator--() const volatile noexcept
    {
        return fetch_sub(1) - 1;
    }
    _Tp operator--(int) const volatile noexcept
    {
        return fetch_sub(1);
    }
    template <class _Up> _Tp operator+=(_Up __value) const volatile noexcept
    {
        return fetch_add(__value) + __value;
    }
    template <class _Up> _Tp operator-=(_Up __value) const volatile noexcept
    {
        return fetch_sub(__value) - __value;
    }
    _Tp operator&=(_Tp __value) const volatile noexcept
    {
        return fetch_and(__value) & __value;
    }
    _Tp operator|=(_Tp __value) const volatile noexcept
    {
        return fetch_or(__value) | __value;
    }
    _Tp operator^=(_Tp __value) const volatile noexcept
    {
        return fetch_xor(__value) ^ __value;
    }

  private:
    /* Memory for a value, without a constructor's call. */
    struct bytes {
        alignas(_Tp) unsigned char storage[sizeof(_Tp)];
        _Tp *get()
        {
            return reinterpret_cast<_Tp *>(storage);
        }
    };
    _Tp *place() const volatile
    {
        return static_cast<const volatile _Self *>(this)->address();
    }
    /* Where it is, for one operation. */
    struct operand {
        _Tp *place;
        umsim::scope<_Self::is_of_block> scope;
    };
    operand at() const volatile
    {
        return {place(), {}};
    }
    static bool same(const _Tp &__a, const _Tp &__b)
    {
        return __builtin_memcmp(&__a, &__b, sizeof(_Tp)) == 0;
    }
    template <class _Next> _Tp update(_Next __next, memory_order __order) const volatile
    {
        _Tp __seen = load(memory_order_relaxed);
        while (!compare_exchange_strong(__seen, __next(__seen), __order)) {
        }
        return __seen;
    }
};

#undef UMSIM_AT_THE_CALL
} // namespace detail
/** @endcond */

/** An atomic object. In __shared__ memory it has no value until one is stored. */
template <class _Tp, thread_scope _Scope = thread_scope_system>
class atomic : public detail::atomic_operations<atomic<_Tp, _Scope>, _Tp>
{
  public:
    /** @cond internal */
    static constexpr bool is_of_block = _Scope == thread_scope_block || _Scope == thread_scope_thread;
    /** @endcond */
    atomic() noexcept = default;
    constexpr atomic(_Tp __value) noexcept : __value_(__value)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    _Tp operator=(_Tp __value) noexcept
    {
        this->store(__value);
        return __value;
    }
    _Tp operator=(_Tp __value) volatile noexcept
    {
        this->store(__value);
        return __value;
    }

  private:
    friend class detail::atomic_operations<atomic, _Tp>;
    _Tp *address() const volatile
    {
        return const_cast<_Tp *>(&__value_);
    }
    alignas(sizeof(_Tp)) _Tp __value_;
};

/** Atomic operations on an object that is not atomic. */
template <class _Tp, thread_scope _Scope = thread_scope_system>
class atomic_ref : public detail::atomic_operations<atomic_ref<_Tp, _Scope>, _Tp>
{
  public:
    /** @cond internal */
    static constexpr bool is_of_block = _Scope == thread_scope_block || _Scope == thread_scope_thread;
    /** @endcond */
    static constexpr size_t required_alignment = sizeof(_Tp);
    explicit atomic_ref(_Tp &__object) noexcept : __object_(&__object)
    {
    }
    atomic_ref(const atomic_ref &) noexcept = default;
    _Tp operator=(_Tp __value) const noexcept
    {
        this->store(__value);
        return __value;
    }

  private:
    friend class detail::atomic_operations<atomic_ref, _Tp>;
    _Tp *address() const volatile
    {
        return const_cast<const atomic_ref *>(this)->__object_;
    }
    _Tp *__object_;
};

/** Whoever sees what was written after the fence also sees what was written before it. */
inline void atomic_thread_fence(memory_order __order, thread_scope __scope = thread_scope_system) noexcept
{
    if (__scope == thread_scope_block || __scope == thread_scope_thread) {
        umsim::scope<true> __of_block{};
        (void)__of_block;
        __atomic_thread_fence((int)__order);
    } else {
        __atomic_thread_fence((int)__order);
    }
}
/** The same for a signal handler of the same thread. */
inline void atomic_signal_fence(memory_order __order) noexcept
{
    __atomic_signal_fence((int)__order);
}

namespace std
{

/** cuda::atomic with the widest scope. */
template <class _Tp> class atomic : public ::cuda::atomic<_Tp, thread_scope_system>
{
  public:
    atomic() noexcept = default;
    constexpr atomic(_Tp __value) noexcept : ::cuda::atomic<_Tp, thread_scope_system>(__value)
    {
    }
    using ::cuda::atomic<_Tp, thread_scope_system>::operator=;
};
template <class _Tp> class atomic_ref : public ::cuda::atomic_ref<_Tp, thread_scope_system>
{
  public:
    explicit atomic_ref(_Tp &__object) noexcept : ::cuda::atomic_ref<_Tp, thread_scope_system>(__object)
    {
    }
    using ::cuda::atomic_ref<_Tp, thread_scope_system>::operator=;
};

/** A flag that can be set and cleared. */
class atomic_flag
{
  public:
    atomic_flag() noexcept = default;
    constexpr atomic_flag(bool __set) noexcept : __set_(__set)
    {
    }
    bool test(memory_order __order = memory_order_seq_cst) const volatile noexcept
    {
        return __set_.load(__order) != 0;
    }
    bool test_and_set(memory_order __order = memory_order_seq_cst) volatile noexcept
    {
        return __set_.exchange(1, __order) != 0;
    }
    void clear(memory_order __order = memory_order_seq_cst) volatile noexcept
    {
        __set_.store(0, __order);
    }
    __host__ __device__ void wait(bool __old, memory_order __order = memory_order_seq_cst, UMSIM_PLACE) const
        volatile noexcept
    {
        __set_.wait(__old, __order, __file, __line);
    }
    void notify_one() noexcept
    {
    }
    void notify_all() noexcept
    {
    }

  private:
    ::cuda::atomic<int> __set_;
};

using ::cuda::atomic_signal_fence;
inline void atomic_thread_fence(memory_order __order) noexcept
{
    __atomic_thread_fence((int)__order);
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
