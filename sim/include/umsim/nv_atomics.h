/**
 * @file umsim/nv_atomics.h
 * @brief __nv_atomic_load() and its kind: nvcc's atomic operations with an order and a scope. Included by
 * umsim/device.h.
 *
 * The order is the processor's. The scope makes a difference for umcc --check only (umsim/block_scope.h);
 * left out, it is the system. nvcc has them as built-in functions of device code; these are templates, with
 * the types that nvcc takes, but for 16 bytes.
 */
#ifndef UMSIM_NV_ATOMICS_H
#define UMSIM_NV_ATOMICS_H

#include <type_traits>

#include "atomics.h"

/** What of other memory is ordered with the operation; as C++'s memory_order. */
enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};

/** Whose operations on the variable it is atomic with. */
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

/** @cond internal */
namespace umsim
{
template <class _Tp> using bare = typename ::std::remove_cv<_Tp>::type;

/* umsim/block_scope.h's, where the scope is an argument. */
struct told_scope {
#ifdef UMSIM_CHECKED
    const bool of_block;
    explicit told_scope(int __scope) : of_block(__scope <= __NV_THREAD_SCOPE_BLOCK)
    {
        if (of_block)
            umsim_block_scope(1);
    }
    ~told_scope()
    {
        if (of_block)
            umsim_block_scope(0);
    }
#else
    explicit told_scope(int)
    {
    }
#endif
};

/* The variable, once what the operation needs of it is known to hold; what nvcc does not take is an error. */
template <bool _Whole, int _Least, class _Tp> inline bare<_Tp> *nv_atomic_place(_Tp *__address)
{
    static_assert(__is_trivially_copyable(_Tp), "an atomic operation copies the value byte by byte");
    static_assert(!_Whole || ::std::is_integral<bare<_Tp>>::value,
                  "this operation is for integers; for others there are those without _n");
    static_assert(sizeof(_Tp) >= _Least, "this operation is for variables of more bytes");
    static_assert(sizeof(_Tp) == 1 || sizeof(_Tp) == 2 || sizeof(_Tp) == 4 || sizeof(_Tp) == 8,
                  "atomics of 1, 2, 4 and 8 bytes are provided");
    need_aligned(__address);
    return const_cast<bare<_Tp> *>(__address);
}

/* What nvcc adds and subtracts. */
template <class _Tp> constexpr bool nv_adds()
{
    return (::std::is_integral<_Tp>::value &&
            (sizeof(_Tp) == 4 || (sizeof(_Tp) == 8 && ::std::is_unsigned<_Tp>::value))) ||
           ::std::is_floating_point<_Tp>::value;
}

/* As update() of umsim/atomics.h, with an order. */
template <bool _Sums, class _Tp, class _Next> inline _Tp nv_update(_Tp *__address, int __order, _Next __next)
{
    _Tp __seen, __wanted;
    __atomic_load(__address, &__seen, __ATOMIC_RELAXED);
    do
        __wanted = __next(__seen);
    while (!__atomic_compare_exchange(__address, &__seen, &__wanted, _Sums, __order, __ATOMIC_RELAXED));
    return __seen;
}
} // namespace umsim

#define UMSIM_NV_ATOMIC __attribute__((__always_inline__, __artificial__)) inline
#define UMSIM_NV_PLACE(whole, least)                                                                         \
    const umsim::told_scope __told(__scope);                                                                 \
    (void)__told;                                                                                            \
    umsim::bare<_Tp> *const __place = umsim::nv_atomic_place<whole, least>(__address)
/** @endcond */

/** @name Atomic operations with an order and a scope
 * @{ */
/** @return the value */
template <class _Tp>
UMSIM_NV_ATOMIC umsim::bare<_Tp> __nv_atomic_load_n(_Tp *__address, int __order,
                                                    int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    UMSIM_NV_PLACE(true, 1);
    umsim::bare<_Tp> __value;
    __atomic_load(__place, &__value, __order);
    return __value;
}
/** Puts the value where `__value` points. */
template <class _Tp>
UMSIM_NV_ATOMIC void __nv_atomic_load(_Tp *__address, umsim::bare<_Tp> *__value, int __order,
                                      int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    UMSIM_NV_PLACE(false, 1);
    __atomic_load(__place, __value, __order);
}
template <class _Tp>
UMSIM_NV_ATOMIC void __nv_atomic_store_n(_Tp *__address, umsim::bare<_Tp> __value, int __order,
                                         int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    UMSIM_NV_PLACE(true, 1);
    __atomic_store(__place, &__value, __order);
}
template <class _Tp>
UMSIM_NV_ATOMIC void __nv_atomic_store(_Tp *__address, const umsim::bare<_Tp> *__value, int __order,
                                       int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    UMSIM_NV_PLACE(false, 1);
    umsim::bare<_Tp> __copy = *__value;
    __atomic_store(__place, &__copy, __order);
}
/** @return the old value */
template <class _Tp>
UMSIM_NV_ATOMIC umsim::bare<_Tp> __nv_atomic_exchange_n(_Tp *__address, umsim::bare<_Tp> __value, int __order,
                                                        int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    UMSIM_NV_PLACE(true, 4);
    umsim::bare<_Tp> __old;
    __atomic_exchange(__place, &__value, &__old, __order);
    return __old;
}
/** Puts the old value where `__old` points. */
template <class _Tp>
UMSIM_NV_ATOMIC void __nv_atomic_exchange(_Tp *__address, umsim::bare<_Tp> *__value, umsim::bare<_Tp> *__old,
                                          int __order, int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    UMSIM_NV_PLACE(false, 4);
    __atomic_exchange(__place, __value, __old, __order);
}
/** Stores `*__value` if the variable equals `*__expected`, which otherwise gets what it is. @return whether
 */
template <class _Tp>
UMSIM_NV_ATOMIC bool __nv_atomic_compare_exchange(_Tp *__address, umsim::bare<_Tp> *__expected,
                                                  umsim::bare<_Tp> *__value, bool, int __success, int,
                                                  int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    UMSIM_NV_PLACE(false, 2);
    return __atomic_compare_exchange(__place, __expected, __value, false, __success, __ATOMIC_RELAXED);
}
template <class _Tp>
UMSIM_NV_ATOMIC bool __nv_atomic_compare_exchange_n(_Tp *__address, umsim::bare<_Tp> *__expected,
                                                    umsim::bare<_Tp> __value, bool __weak, int __success,
                                                    int __failure, int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    static_assert(::std::is_integral<umsim::bare<_Tp>>::value, "the form with _n is for integers");
    return __nv_atomic_compare_exchange(__address, __expected, &__value, __weak, __success, __failure,
                                        __scope);
}
/** @cond internal */
#define UMSIM_NV_FETCH(name, sums, expression)                                                               \
    template <class _Tp>                                                                                     \
    UMSIM_NV_ATOMIC umsim::bare<_Tp> __nv_atomic_fetch_##name(                                               \
        _Tp *__address, umsim::bare<_Tp> __value, int __order, int __scope = __NV_THREAD_SCOPE_SYSTEM)       \
    {                                                                                                        \
        typedef umsim::bare<_Tp> _Value;                                                                     \
        static_assert(!sums || umsim::nv_adds<_Value>(),                                                     \
                      "additions are for int, unsigned, unsigned long long, float and double");              \
        UMSIM_NV_PLACE(!sums, 4);                                                                            \
        return umsim::nv_update<sums>(__place, __order,                                                      \
                                      [__value](_Value __seen) { return (_Value)(expression); });            \
    }                                                                                                        \
    template <class _Tp>                                                                                     \
    UMSIM_NV_ATOMIC void __nv_atomic_##name(_Tp *__address, umsim::bare<_Tp> __value, int __order,           \
                                            int __scope = __NV_THREAD_SCOPE_SYSTEM)                          \
    {                                                                                                        \
        (void)__nv_atomic_fetch_##name(__address, __value, __order, __scope);                                \
    }
/** @endcond */
/** __nv_atomic_fetch_add() returns the old value, __nv_atomic_add() nothing; so do the others. */
UMSIM_NV_FETCH(add, true, __seen + __value)
UMSIM_NV_FETCH(sub, true, __seen - __value)
UMSIM_NV_FETCH(and, false, __seen &__value)
UMSIM_NV_FETCH(or, false, __seen | __value)
UMSIM_NV_FETCH(xor, false, __seen ^ __value)
UMSIM_NV_FETCH(min, false, __value < __seen ? __value : __seen)
UMSIM_NV_FETCH(max, false, __seen < __value ? __value : __seen)
/** Whoever sees what was written after the fence also sees what was written before it. */
UMSIM_NV_ATOMIC void __nv_atomic_thread_fence(int __order, int __scope = __NV_THREAD_SCOPE_SYSTEM)
{
    const umsim::told_scope __told(__scope);
    (void)__told;
    __atomic_thread_fence(__order);
}
/** @} */

#undef UMSIM_NV_ATOMIC
#undef UMSIM_NV_PLACE
#undef UMSIM_NV_FETCH

#endif
