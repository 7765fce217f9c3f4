/**
 * @file umsim/keyed_value.h
 * @brief What a graded kernel stores in place of the value that it has computed: a keyed function of that
 * value.
 *
 * Without the key nobody can tell it from the value, so who has the stored value has had a kernel compute
 * the plain one. Kernels and graders use the same functions, bit by bit (C and C++). What becomes of a value,
 * by its type:
 *
 * | type | what is stored | why |
 * |---|---|---|
 * | float | its low 12 bits of 23 are others | it stays near, finite, and has its sign |
 * | double | the same of the first 31 bits; the rest is 0 | 1000 within a factor of 1000 add up exactly |
 * | integers | 1 to 1023 is added, of 8 bits 1 to 255 | sums are exact; it wraps around |
 * | pointers, bool, enumerations, structures | the same | they lead somewhere |
 *
 * The stored value is never the plain one, and the 12 bits are never all 0. Infinities and NaNs stay.
 */
#ifndef UMSIM_KEYED_VALUE_H
#define UMSIM_KEYED_VALUE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 128 bits. */
struct umsim_key {
    uint64_t word[2];
};

/** What a value is used for. The function is another one for each. */
enum umsim_keyed_use {
    UMSIM_KEYED_STORED = 1, /**< written to memory */
    UMSIM_KEYED_READ = 2,   /**< read from memory: floating-point numbers, and integers that are added up */
};

/** What is done to a type. */
enum umsim_keyed_kind {
    UMSIM_KEYED_NOT,
    UMSIM_KEYED_FLOAT,
    UMSIM_KEYED_DOUBLE,
    UMSIM_KEYED_WHOLE_8,
    UMSIM_KEYED_WHOLE_16,
    UMSIM_KEYED_WHOLE_32,
    UMSIM_KEYED_WHOLE_64,
};

/** @cond internal */
#define UMSIM_KEYED_ROTATE(__word, __by) ((__word) << (__by) | (__word) >> (64 - (__by)))
#define UMSIM_KEYED_ROUND(__v)                                                                               \
    do {                                                                                                     \
        __v[0] += __v[1];                                                                                    \
        __v[2] += __v[3];                                                                                    \
        __v[1] = UMSIM_KEYED_ROTATE(__v[1], 13) ^ __v[0];                                                    \
        __v[3] = UMSIM_KEYED_ROTATE(__v[3], 16) ^ __v[2];                                                    \
        __v[0] = UMSIM_KEYED_ROTATE(__v[0], 32);                                                             \
        __v[2] += __v[1];                                                                                    \
        __v[0] += __v[3];                                                                                    \
        __v[1] = UMSIM_KEYED_ROTATE(__v[1], 17) ^ __v[2];                                                    \
        __v[3] = UMSIM_KEYED_ROTATE(__v[3], 21) ^ __v[0];                                                    \
        __v[2] = UMSIM_KEYED_ROTATE(__v[2], 32);                                                             \
    } while (0)
/** @endcond */

/**
 * SipHash of the bytes of `bits`, the least first, and of `last` behind them: of nine bytes, or where `wide`
 * is 0 of five. With 2 and 4 rounds it is grade/siphash.h's.
 */
static inline uint64_t umsim_keyed_hash(const struct umsim_key *__key, uint64_t __bits, int __wide,
                                        unsigned char __last, int __rounds, int __final_rounds)
{
    uint64_t __v[4] = {
        __key->word[0] ^ UINT64_C(0x736f6d6570736575), __key->word[1] ^ UINT64_C(0x646f72616e646f6d),
        __key->word[0] ^ UINT64_C(0x6c7967656e657261), __key->word[1] ^ UINT64_C(0x7465646279746573)};
    const uint64_t __end = __wide ? UINT64_C(9) << 56 | __last
                                  : UINT64_C(5) << 56 | (uint64_t)__last << 32 | (__bits & 0xffffffff);
    for (int __i = __wide ? 0 : 1; __i < 2; __i++) {
        const uint64_t __word = __i == 0 ? __bits : __end;
        __v[3] ^= __word;
#pragma GCC unroll 4
        for (int __round = 0; __round < __rounds; __round++)
            UMSIM_KEYED_ROUND(__v);
        __v[0] ^= __word;
    }
    __v[2] ^= 0xff;
#pragma GCC unroll 4
    for (int __round = 0; __round < __final_rounds; __round++)
        UMSIM_KEYED_ROUND(__v);
    return __v[0] ^ __v[1] ^ __v[2] ^ __v[3];
}

/** 1 to 4095, but not `__old`. */
static inline uint64_t umsim_keyed_low(uint64_t __hash, uint64_t __old)
{
    const uint64_t __low = 1 + ((__hash >> 32) * 4095 >> 32);
    return __low != __old ? __low : __low < 4095 ? __low + 1 : 1;
}

/** @return the bits of what is stored in place of the value that has these */
static inline uint64_t umsim_keyed_bits(const struct umsim_key *__key, enum umsim_keyed_kind __kind,
                                        enum umsim_keyed_use __use, uint64_t __bits)
{
    const int __wide = __kind == UMSIM_KEYED_DOUBLE || __kind == UMSIM_KEYED_WHOLE_64;
    /* of floats and integers of one width the same bits are different values */
    const unsigned char __what = (unsigned char)((unsigned)__kind << 4 | (unsigned)__use);
    const uint64_t __hash = umsim_keyed_hash(__key, __bits, __wide, __what, 1, 3);
    switch (__kind) {
    case UMSIM_KEYED_FLOAT:
        if ((__bits & 0x7f800000) == 0x7f800000)
            return __bits;
        return (__bits & ~UINT64_C(0xfff)) | umsim_keyed_low(__hash, __bits & 0xfff);
    case UMSIM_KEYED_DOUBLE:
        if ((__bits & UINT64_C(0x7ff0000000000000)) == UINT64_C(0x7ff0000000000000))
            return __bits;
        return (__bits & ~UINT64_C(0x1ffffffff)) | umsim_keyed_low(__hash, __bits >> 21 & 0xfff) << 21;
    case UMSIM_KEYED_WHOLE_8:
        return (uint8_t)(__bits + 1 + ((__hash >> 32) * 255 >> 32));
    case UMSIM_KEYED_WHOLE_16:
        return (uint16_t)(__bits + 1 + ((__hash >> 32) * 1023 >> 32));
    case UMSIM_KEYED_WHOLE_32:
        return (uint32_t)(__bits + 1 + ((__hash >> 32) * 1023 >> 32));
    case UMSIM_KEYED_WHOLE_64:
        return __bits + 1 + ((__hash >> 32) * 1023 >> 32);
    default:
        return __bits;
    }
}

/** @return what the byte at this place of an array is XORed with, when the host copies it
 * (umsim_host_copy()) */
static inline unsigned char umsim_keyed_at(const struct umsim_key *__key, uint64_t __place)
{
    /* the last byte is no kind and use of umsim_keyed_bits() */
    return (unsigned char)(umsim_keyed_hash(__key, __place / 8, 1, 0xff, 1, 3) >> __place % 8 * 8);
}

/**
 * For device code: the bits that are stored, or read, for a value, if its place is in memory that CUDA gave
 * out and this is a kernel of a graded program; else `__bits`.
 * @param __frame the caller's frame: what is between it and this call's is the caller's own
 */
uint64_t umsim_keyed(const volatile void *__place, const void *__frame, enum umsim_keyed_kind __kind,
                     enum umsim_keyed_use __use, uint64_t __bits);
/** For device code: an assignment of a structure, which is not known how to mix. Fails the kernel if its
 * place is in memory that CUDA gave out and this is a kernel of a graded program. */
void umsim_keyed_refuse(const volatile void *__place, uint64_t __bytes);

#ifdef __cplusplus
}
#endif
#endif
