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

} // namespace umsim

#endif
