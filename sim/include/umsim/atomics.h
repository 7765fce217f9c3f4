/**
 * @file umsim/atomics.h
 * @brief atomicAdd() and related functions, for kernels and for host code. Included by umsim/device.h.
 *
 * All are templates on the variable's type, because C++ prefers a plain function to a template: so a
 * program may define its own atomicAdd(double *, double), as programs for old GPUs do. The value converts
 * to the variable's type as it does in CUDA. Every function returns the variable's old value. The memory
 * order is relaxed, as on a GPU. The _block and _system versions do the same here, because one machine's
 * cores see each other's atomics alike; umcc --check tells a block's atomics that meet another block's.
 */
#ifndef UMSIM_ATOMICS_H
#define UMSIM_ATOMICS_H

#include <stdint.h>
#include <string.h>

#include "block_scope.h"

/** @cond internal */
namespace umsim
{

template <class _Tp> struct same {
    typedef _Tp type;
};

template <bool _Condition, class _Tp> struct only_if {
};
template <class _Tp> struct only_if<true, _Tp> {
    typedef _Tp type;
};

/* What a type supports: CUDA has bit operations and comparisons on integers only, and additions on float and
 * double too. */
enum { is_atomic_integer = 1, is_atomic_number = 2, is_atomic_word = 4 };
template <class _Tp> struct atomic_traits {
    static constexpr int can = 0;
};
#define UMSIM_ATOMIC_TYPE(T, what)                                                                           \
    template <> struct atomic_traits<T> {                                                                    \
        static constexpr int can = what;                                                                     \
    }
UMSIM_ATOMIC_TYPE(int, is_atomic_integer | is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(unsigned, is_atomic_integer | is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(long, is_atomic_integer | is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(unsigned long, is_atomic_integer | is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(long long, is_atomic_integer | is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(unsigned long long, is_atomic_integer | is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(float, is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(double, is_atomic_number | is_atomic_word);
UMSIM_ATOMIC_TYPE(unsigned short, is_atomic_word);
#undef UMSIM_ATOMIC_TYPE

template <class _Tp, int _What, class _Rp = _Tp>
using if_atomic = typename only_if<(atomic_traits<_Tp>::can & _What) != 0, _Rp>::type;

/* x86-64 makes such an operation all the same, a GPU does not. */
template <class _Tp> inline void need_aligned(const _Tp *__address)
{
    if (__builtin_expect((size_t)__address % sizeof(_Tp) != 0, 0))
        umsim_misaligned();
}

/* Whether a kernel's plain form asks is_own(). umcc/compile.c writes 0 for the form that counts: what is an
 * atomic there stays one. */
enum { umsim_asks_own = 1 };

/**
 * @return whether a variable is in `__shared__` memory. One worker runs a block's threads in turns, and
 * nobody else reaches the block's memory: there, what no thread can interrupt is atomic, and takes a fifth of
 * the time of an instruction that locks a line of the host's cache.
 */
template <class _Tp> inline bool is_own(const _Tp *__address)
{
#ifdef UMSIM_CHECKED
    (void)__address;
    return false;
#else
    return umsim_asks_own && (size_t)__address - (size_t)umsim_builtins.own < umsim_builtins.own_bytes;
#endif
}

/* The old value of a variable that is the block's own, which becomes `__next(old)`. */
template <class _Tp, class _Next> inline _Tp update_own(_Tp *__address, _Next __next)
{
    _Tp __seen, __wanted;
    __atomic_load(__address, &__seen, __ATOMIC_RELAXED);
    if (__next(__seen, __wanted))
        __atomic_store(__address, &__wanted, __ATOMIC_RELAXED);
    return __seen;
}

/* Integers: one instruction. */
template <class _Tp> inline if_atomic<_Tp, is_atomic_integer> fetch_add(_Tp *__address, _Tp __value)
{
    if (is_own(__address))
        return update_own(__address, [__value](_Tp __seen, _Tp &__wanted) {
            __builtin_add_overflow(__seen, __value, &__wanted);
            return true;
        });
    return __atomic_fetch_add(__address, __value, __ATOMIC_RELAXED);
}

/* All other operations compute from the value that was read, and store unless another thread was faster.
 * `__next` returns whether to store. A sum of floats is a weak exchange, so that it can be told from others
 * (count/hooks.c). */
template <bool _Sums = false, class _Tp, class _Next> inline _Tp update(_Tp *__address, _Next __next)
{
    if (is_own(__address))
        return update_own(__address, __next);
    _Tp __seen, __wanted;
    __atomic_load(__address, &__seen, __ATOMIC_RELAXED);
    do {
        if (!__next(__seen, __wanted))
            break;
    } while (
        !__atomic_compare_exchange(__address, &__seen, &__wanted, _Sums, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return __seen;
}

inline float fetch_add(float *__address, float __value)
{
    return update<true>(__address, [__value](float __seen, float &__wanted) {
        __wanted = __seen + __value;
        return true;
    });
}

inline double fetch_add(double *__address, double __value)
{
    return update<true>(__address, [__value](double __seen, double &__wanted) {
        __wanted = __seen + __value;
        return true;
    });
}

} // namespace umsim

#define UMSIM_ATOMIC(name, what, value_name, block, ...)                                                     \
    template <class _Tp>                                                                                     \
    inline umsim::if_atomic<_Tp, umsim::what> name(_Tp *__address,                                           \
                                                   typename umsim::same<_Tp>::type value_name)               \
    {                                                                                                        \
        umsim::scope<block> __scope{};                                                                       \
        (void)__scope;                                                                                       \
        umsim::need_aligned(__address);                                                                      \
        __VA_ARGS__                                                                                          \
    }
#define UMSIM_ATOMIC_SCOPES(name, what, ...)                                                                 \
    UMSIM_ATOMIC(name, what, __value, false, __VA_ARGS__)                                                    \
    UMSIM_ATOMIC(name##_block, what, __value, true, __VA_ARGS__)                                             \
    UMSIM_ATOMIC(name##_system, what, __value, false, __VA_ARGS__)
/** @endcond */

/**
 * @name Atomic operations
 * `T old = atomicX(T *address, T value)`: the comment at each says what it stores.
 * @{
 */
/** old + value. int, unsigned, 64-bit integers, float, double */
UMSIM_ATOMIC_SCOPES(atomicAdd, is_atomic_number, return umsim::fetch_add(__address, __value);)
/** old - value. int, unsigned */
UMSIM_ATOMIC_SCOPES(atomicSub, is_atomic_integer,
                    return __atomic_fetch_sub(__address, __value, __ATOMIC_RELAXED);)
/** value. int, unsigned, 64-bit integers, float, double */
UMSIM_ATOMIC_SCOPES(atomicExch, is_atomic_number, _Tp __old;
                    __atomic_exchange(__address, &__value, &__old, __ATOMIC_RELAXED); return __old;)
/** The smaller of old and value. Integers */
UMSIM_ATOMIC_SCOPES(atomicMin, is_atomic_integer,
                    return umsim::update(__address, [__value](_Tp __seen, _Tp &__wanted) {
                        __wanted = __value;
                        return __value < __seen;
                    });)
/** The larger of old and value. Integers */
UMSIM_ATOMIC_SCOPES(atomicMax, is_atomic_integer,
                    return umsim::update(__address, [__value](_Tp __seen, _Tp &__wanted) {
                        __wanted = __value;
                        return __seen < __value;
                    });)
/** old & value. Integers */
UMSIM_ATOMIC_SCOPES(atomicAnd, is_atomic_integer,
                    return __atomic_fetch_and(__address, __value, __ATOMIC_RELAXED);)
/** old | value. Integers */
UMSIM_ATOMIC_SCOPES(atomicOr, is_atomic_integer,
                    return __atomic_fetch_or(__address, __value, __ATOMIC_RELAXED);)
/** old ^ value. Integers */
UMSIM_ATOMIC_SCOPES(atomicXor, is_atomic_integer,
                    return __atomic_fetch_xor(__address, __value, __ATOMIC_RELAXED);)
/** old + 1, or 0 where old >= value. unsigned */
UMSIM_ATOMIC_SCOPES(atomicInc, is_atomic_integer,
                    return umsim::update(__address, [__value](_Tp __seen, _Tp &__wanted) {
                        __wanted = __seen >= __value ? 0 : __seen + 1;
                        return true;
                    });)
/** old - 1, or value where old is 0 or > value. unsigned */
UMSIM_ATOMIC_SCOPES(atomicDec, is_atomic_integer,
                    return umsim::update(__address, [__value](_Tp __seen, _Tp &__wanted) {
                        __wanted = __seen == 0 || __seen > __value ? __value : __seen - 1;
                        return true;
                    });)
/** @} */

/** @cond internal */
#define UMSIM_ATOMIC_CAS(name, block)                                                                        \
    template <class _Tp>                                                                                     \
    inline umsim::if_atomic<_Tp, umsim::is_atomic_word> name(                                                \
        _Tp *__address, typename umsim::same<_Tp>::type __compare, typename umsim::same<_Tp>::type __value)  \
    {                                                                                                        \
        umsim::scope<block> __scope{};                                                                       \
        (void)__scope;                                                                                       \
        umsim::need_aligned(__address);                                                                      \
        __atomic_compare_exchange(__address, &__compare, &__value, false, __ATOMIC_RELAXED,                  \
                                  __ATOMIC_RELAXED);                                                         \
        return __compare;                                                                                    \
    }
/** @endcond */
/**
 * @name Compare and swap
 * Stores `value` if the variable equals `compare`. @return the old value.
 * @{
 */
UMSIM_ATOMIC_CAS(atomicCAS, false)
UMSIM_ATOMIC_CAS(atomicCAS_block, true)
UMSIM_ATOMIC_CAS(atomicCAS_system, false)
/** @} */

#undef UMSIM_ATOMIC
#undef UMSIM_ATOMIC_SCOPES
#undef UMSIM_ATOMIC_CAS

#endif
