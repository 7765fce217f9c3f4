/**
 * @file umsim/atomics.h
 * @brief atomicAdd() and its kind, for kernels and for host code. Included by umsim/device.h.
 *
 * All are templates on the variable's type, so that a program that brings an atomicAdd(double *, double) of
 * its own, as programs for old GPUs do, may: a plain function goes before a template. The value converts to
 * the variable's type as it does in CUDA. Every one returns the variable's old value. The memory order is
 * relaxed, as on a GPU; _block and _system versions are the same here, because one machine's cores see each
 * other's atomics alike.
 */
#ifndef UMSIM_ATOMICS_H
#define UMSIM_ATOMICS_H

#include <stdint.h>
#include <string.h>

/** @cond internal */
namespace umsim
{

template <class T> struct same {
    typedef T type;
};

template <bool Condition, class T> struct only_if {
};
template <class T> struct only_if<true, T> {
    typedef T type;
};

/* What a type can do: CUDA has bit operations and comparisons on integers only, additions on float and double
 * too. */
enum { is_atomic_integer = 1, is_atomic_number = 2, is_atomic_word = 4 };
template <class T> struct atomic_traits {
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

template <class T, int What, class R = T>
using if_atomic = typename only_if<(atomic_traits<T>::can & What) != 0, R>::type;

/* Integers: one instruction. */
template <class T> inline if_atomic<T, is_atomic_integer> fetch_add(T *address, T value)
{
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

/* Anything else: compute from the value seen, store if nobody was faster. `next` returns whether to store. */
template <class T, class Next> inline T update(T *address, Next next)
{
    T seen, wanted;
    __atomic_load(address, &seen, __ATOMIC_RELAXED);
    do {
        if (!next(seen, wanted))
            break;
    } while (!__atomic_compare_exchange(address, &seen, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return seen;
}

inline float fetch_add(float *address, float value)
{
    return update(address, [value](float seen, float &wanted) {
        wanted = seen + value;
        return true;
    });
}

inline double fetch_add(double *address, double value)
{
    return update(address, [value](double seen, double &wanted) {
        wanted = seen + value;
        return true;
    });
}

} // namespace umsim

#define UMSIM_ATOMIC(name, what, value_name, ...)                                                            \
    template <class T>                                                                                       \
    inline umsim::if_atomic<T, umsim::what> name(T *address, typename umsim::same<T>::type value_name)       \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define UMSIM_ATOMIC_SCOPES(name, what, ...)                                                                 \
    UMSIM_ATOMIC(name, what, value, __VA_ARGS__)                                                             \
    UMSIM_ATOMIC(name##_block, what, value, __VA_ARGS__)                                                     \
    UMSIM_ATOMIC(name##_system, what, value, __VA_ARGS__)
/** @endcond */

/** @name Atomic operations
 * `T old = atomicX(T *address, T value)`: what they store is said behind each.
 * @{ */
/** old + value. int, unsigned, 64-bit integers, float, double */
UMSIM_ATOMIC_SCOPES(atomicAdd, is_atomic_number, return umsim::fetch_add(address, value);)
/** old - value. int, unsigned */
UMSIM_ATOMIC_SCOPES(atomicSub, is_atomic_integer,
                    return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);)
/** value. int, unsigned, 64-bit integers, float, double */
UMSIM_ATOMIC_SCOPES(atomicExch, is_atomic_number, T old;
                    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED); return old;)
/** The smaller of old and value. Integers */
UMSIM_ATOMIC_SCOPES(atomicMin, is_atomic_integer, return umsim::update(address, [value](T seen, T &wanted) {
                        wanted = value;
                        return value < seen;
                    });)
/** The larger of old and value. Integers */
UMSIM_ATOMIC_SCOPES(atomicMax, is_atomic_integer, return umsim::update(address, [value](T seen, T &wanted) {
                        wanted = value;
                        return seen < value;
                    });)
/** old & value. Integers */
UMSIM_ATOMIC_SCOPES(atomicAnd, is_atomic_integer,
                    return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);)
/** old | value. Integers */
UMSIM_ATOMIC_SCOPES(atomicOr, is_atomic_integer, return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);)
/** old ^ value. Integers */
UMSIM_ATOMIC_SCOPES(atomicXor, is_atomic_integer,
                    return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);)
/** old + 1, or 0 where old >= value. unsigned */
UMSIM_ATOMIC_SCOPES(atomicInc, is_atomic_integer, return umsim::update(address, [value](T seen, T &wanted) {
                        wanted = seen >= value ? 0 : seen + 1;
                        return true;
                    });)
/** old - 1, or value where old is 0 or > value. unsigned */
UMSIM_ATOMIC_SCOPES(atomicDec, is_atomic_integer, return umsim::update(address, [value](T seen, T &wanted) {
                        wanted = seen == 0 || seen > value ? value : seen - 1;
                        return true;
                    });)
/** @} */

/** @cond internal */
#define UMSIM_ATOMIC_CAS(name)                                                                               \
    template <class T>                                                                                       \
    inline umsim::if_atomic<T, umsim::is_atomic_word> name(                                                  \
        T *address, typename umsim::same<T>::type compare, typename umsim::same<T>::type value)              \
    {                                                                                                        \
        __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);     \
        return compare;                                                                                      \
    }
/** @endcond */
/** @name Compare and swap
 * Stores `value` where the variable equals `compare`. @return the old value. @{ */
UMSIM_ATOMIC_CAS(atomicCAS)
UMSIM_ATOMIC_CAS(atomicCAS_block)
UMSIM_ATOMIC_CAS(atomicCAS_system)
/** @} */

#undef UMSIM_ATOMIC
#undef UMSIM_ATOMIC_SCOPES
#undef UMSIM_ATOMIC_CAS

#endif
