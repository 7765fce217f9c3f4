/**
 * @file siphash.h
 * @brief SipHash-2-4: a keyed function of bytes (Aumasson and Bernstein 2012).
 *
 * Whoever has not the key cannot tell its values from random ones, whatever other values he has seen. It
 * holds no state.
 */
#ifndef UM_GRADE_SIPHASH_H
#define UM_GRADE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/** 128 bits: bytes 0 to 7 and 8 to 15 of the key as it is written, the least byte first. */
struct um_siphash_key {
    uint64_t word[2];
};

/** @param bytes may be NULL when `size` is 0 */
uint64_t um_siphash(const struct um_siphash_key *key, const void *bytes, size_t size);

#endif
