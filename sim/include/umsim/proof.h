/**
 * @file umsim/proof.h
 * @brief How gcc proves that a transformed kernel is right, or refuses it.
 *
 * A transformed body says where a value must not have changed. It does so in a copy of itself that is
 * compiled with the same options, but never run ("trial"):
 *
 *     const auto um_was_1 = ::umsim::bits_of(x);
 *     ... the part of the body that must not change x ...
 *     ::umsim::opaque();
 *     if (!::umsim::unchanged(um_was_1, x)) um_unproven_3();
 *
 * um_unproven_3() is declared with the attribute `error`: g++ refuses the file unless it finds that the call
 * is never made. It looks at what is compiled, not at how that is spelled: references, overloads, casts,
 * aliases and inline functions are all seen through or stand in the way of the proof. opaque() is a call of
 * which gcc knows nothing. So a variable whose address went anywhere counts as changed there, and so does an
 * expression that reads memory. umcc then leaves that kernel as it is written (umcc/proof.h).
 *
 * Part of umsim/device.h; students do not include this file.
 */
#ifndef UMSIM_PROOF_H
#define UMSIM_PROOF_H

#include <stddef.h>
#include <stdint.h>
#include <type_traits>
#include "umsim/affine.h"

namespace umsim
{

/** A call that may do anything, for all that gcc knows. It is never made. */
__attribute__((__always_inline__)) inline void opaque()
{
    void (*__anything)(void);
    __asm__ volatile("" : "=r"(__anything));
    __anything();
}

/** What an object is made of. Larger objects are not compared. */
template <class _Tp> struct object_bits {
    static constexpr bool known = sizeof(_Tp) <= 128;
    unsigned char bytes[known ? sizeof(_Tp) : 1];
};

template <class _Tp> __attribute__((__always_inline__)) inline object_bits<_Tp> bits_of(const _Tp &__object)
{
    object_bits<_Tp> __b;
    __builtin_memcpy(__b.bytes, (const void *)&__object, sizeof __b.bytes);
    return __b;
}

template <size_t _Size> struct same_word;
template <> struct same_word<8> {
    typedef uint64_t type;
};
template <> struct same_word<4> {
    typedef uint32_t type;
};
template <> struct same_word<1> {
    typedef unsigned char type;
};

/** Compares word after word, because gcc follows words better than loops. */
template <size_t _Left> struct same_bytes {
    static constexpr size_t word = _Left >= 8 ? 8 : _Left >= 4 ? 4 : 1;
    __attribute__((__always_inline__)) static bool in(const unsigned char *__a, const unsigned char *__b)
    {
        typename same_word<word>::type __x, __y;
        __builtin_memcpy(&__x, __a, word);
        __builtin_memcpy(&__y, __b, word);
        return __x == __y && same_bytes<_Left - word>::in(__a + word, __b + word);
    }
};
template <> struct same_bytes<0> {
    __attribute__((__always_inline__)) static bool in(const unsigned char *, const unsigned char *)
    {
        return true;
    }
};

/** @return whether an object is still what it was; false if that is not compared. */
template <class _Tp>
__attribute__((__always_inline__)) inline bool unchanged(const object_bits<_Tp> &__was, const _Tp &__object)
{
    const object_bits<_Tp> __is = bits_of(__object);
    return object_bits<_Tp>::known && same_bytes<sizeof __is.bytes>::in(__was.bytes, __is.bytes);
}

/** The same for the value that a variable was initialized with. */
template <class _Tp> struct again {
    __attribute__((__always_inline__)) static bool gives(const object_bits<_Tp> &__was, _Tp __value)
    {
        return unchanged(__was, __value);
    }
};
template <class _Tp> struct again<const _Tp> : again<_Tp> {
};

/**
 * @return whether an expression has no effect on memory, and gives its value again after anything else has
 * happened. What it reads from memory may have changed by then, so that gcc proves it only of values that are
 * computed from variables whose address went nowhere.
 */
template <class _Fp> __attribute__((__always_inline__)) inline bool repeats(const _Fp &__expression)
{
    const unsigned char *__anything;
    __asm__ volatile("" : "=r"(__anything));
    const unsigned char __before = *__anything;
    const auto __first = bits_of(__expression());
    const bool __untouched = *__anything == __before;
    opaque();
    return __untouched && unchanged(__first, __expression());
}
/** The same; nor does it change the variables that follow. */
template <class _Fp, class _Tp, class... _More>
__attribute__((__always_inline__)) inline bool repeats(const _Fp &__expression, const _Tp &__variable,
                                                       const _More &...__more)
{
    const auto __was = bits_of(__variable);
    const bool __repeats = repeats(__expression, __more...);
    return unchanged(__was, __variable) && __repeats;
}

/**
 * Whether code that has a variable's address would be noticed: its first bytes. A reference has no address of
 * its own.
 */
template <class _Tp> struct place_of {
    struct start {
        unsigned char bytes[sizeof(_Tp) < 8 ? sizeof(_Tp) : 8];
    };
    __attribute__((__always_inline__)) static start of(const volatile _Tp &__variable)
    {
        start __s;
        __builtin_memcpy(__s.bytes, const_cast<const _Tp *>(&__variable), sizeof __s.bytes);
        return __s;
    }
    __attribute__((__always_inline__)) static bool is(const start &__was, const volatile _Tp &__variable)
    {
        const start __s = of(__variable);
        return same_bytes<sizeof __s.bytes>::in(__was.bytes, __s.bytes);
    }
};
template <class _Tp> struct place_of<volatile _Tp> : place_of<_Tp> {
};
template <class _Tp> struct place_of<const volatile _Tp> : place_of<_Tp> {
};
template <class _Tp> struct place_of<_Tp &> {
    static int of(const volatile _Tp &)
    {
        return 0;
    }
    static bool is(int, const volatile _Tp &)
    {
        return true;
    }
};

/** Whether `T x = e` only copies bits, or converts numbers as the language does. */
template <class _Tp, class _Ep, bool _Own_Operators> struct is_copied {
    typedef typename std::remove_cv<_Tp>::type to;
    typedef typename std::decay<_Ep>::type from;
    static constexpr bool value =
        !std::is_volatile<typename std::remove_reference<_Tp>::type>::value &&
        !std::is_volatile<typename std::remove_reference<_Ep>::type>::value &&
        ((is_plain<to, _Own_Operators>::value && is_plain<from, _Own_Operators>::value) ||
         (std::is_same<to, from>::value && std::is_trivially_copyable<to>::value));
};
/** Whether an object may be dropped before its scope ends. */
template <class _Tp> struct is_dropped {
    static constexpr bool value =
        std::is_trivially_destructible<typename std::remove_reference<_Tp>::type>::value;
};
/** Whether `T &r = e` names an object that is there anyway, and makes none. */
template <class _Tp, class _Ep> struct is_alias {
    template <class _Xp>
    using bare = typename std::remove_cv<typename std::remove_reference<_Xp>::type>::type;
    static constexpr bool value =
        !std::is_reference<_Tp>::value ||
        (std::is_lvalue_reference<_Ep>::value && std::is_same<bare<_Tp>, bare<_Ep>>::value);
};

} // namespace umsim

#endif
