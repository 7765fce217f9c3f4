/**
 * @file vector_types.h
 * @brief CUDA's vector types (char1 to double4) and dim3, usable from C11 and C++.
 *
 * There are char, uchar, short, ushort, int, uint, long, ulong, longlong, ulonglong, float and double, each
 * with 1 to 4 members x, y, z, w: `float4`, for example. CUDA 13 adds long4_16a, long4_32a and similar
 * types, which name their alignment; its own headers deprecate long4, ulong4, longlong4, ulonglong4 and
 * double4 in their favour.
 *
 * Include cuda_runtime.h, which includes this file. Kernels move 8 or 16 bytes with one instruction when
 * the type says that the address is aligned for it. That is why these structures carry an alignment, and
 * why those with three members do not. Sizes and alignments equal those of NVIDIA's headers (tests/parity
 * compares them).
 */
#ifndef UMSIM_VECTOR_TYPES_H
#define UMSIM_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* NVIDIA's name for it: programs test whether it is defined */

#include "host_defines.h"

/** @cond internal */
#define UMSIM_ALIGNED(bytes) __attribute__((__aligned__(bytes)))

/* One element type with 1 to 3 members; `align2` is the alignment of the pair. */
#define UMSIM_VECTOR_123(element, name, align2)                                                              \
    struct name##1                                                                                           \
    {                                                                                                        \
        element x;                                                                                           \
    };                                                                                                       \
    struct UMSIM_ALIGNED(align2) name##2                                                                     \
    {                                                                                                        \
        element x, y;                                                                                        \
    };                                                                                                       \
    struct name##3                                                                                           \
    {                                                                                                        \
        element x, y, z;                                                                                     \
    };                                                                                                       \
    typedef struct name##1 name##1;                                                                          \
    typedef struct name##2 name##2;                                                                          \
    typedef struct name##3 name##3

#define UMSIM_VECTOR_4(element, name, align4)                                                                \
    struct UMSIM_ALIGNED(align4) name {                                                                      \
        element x, y, z, w;                                                                                  \
    };                                                                                                       \
    typedef struct name name

#define UMSIM_VECTOR(element, name, align2, align4)                                                          \
    UMSIM_VECTOR_123(element, name, align2);                                                                 \
    UMSIM_VECTOR_4(element, name##4, align4)

UMSIM_VECTOR(signed char, char, 2, 4);
UMSIM_VECTOR(unsigned char, uchar, 2, 4);
UMSIM_VECTOR(short, short, 4, 8);
UMSIM_VECTOR(unsigned short, ushort, 4, 8);
UMSIM_VECTOR(int, int, 8, 16);
UMSIM_VECTOR(unsigned int, uint, 8, 16);
UMSIM_VECTOR(long int, long, 2 * sizeof(long int), 16);
UMSIM_VECTOR(unsigned long int, ulong, 2 * sizeof(long int), 16);
UMSIM_VECTOR(long long int, longlong, 16, 16);
UMSIM_VECTOR(unsigned long long int, ulonglong, 16, 16);
UMSIM_VECTOR(float, float, 8, 16);
UMSIM_VECTOR(double, double, 16, 16);

#ifndef UMSIM_CUDA12
UMSIM_VECTOR_4(long int, long4_16a, 16);
UMSIM_VECTOR_4(long int, long4_32a, 32);
UMSIM_VECTOR_4(unsigned long int, ulong4_16a, 16);
UMSIM_VECTOR_4(unsigned long int, ulong4_32a, 32);
UMSIM_VECTOR_4(long long int, longlong4_16a, 16);
UMSIM_VECTOR_4(long long int, longlong4_32a, 32);
UMSIM_VECTOR_4(unsigned long long int, ulonglong4_16a, 16);
UMSIM_VECTOR_4(unsigned long long int, ulonglong4_32a, 32);
UMSIM_VECTOR_4(double, double4_16a, 16);
UMSIM_VECTOR_4(double, double4_32a, 32);
#endif
/** @endcond */

/** Size of a grid in blocks, or of a block in threads. In C++ the members that are not given are 1; in C set
 * all. */
struct dim3 {
    unsigned int x; /**< fastest */
    unsigned int y; /**< middle */
    unsigned int z; /**< slowest */
#ifdef __cplusplus
    /** Builds a size; what is left out is 1. */
    constexpr dim3(unsigned int __vx = 1, unsigned int __vy = 1, unsigned int __vz = 1)
        : x(__vx), y(__vy), z(__vz)
    {
    }
    /** Takes the three members of an index or size. */
    constexpr dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z)
    {
    }
    /** The same three numbers as a plain vector. */
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
/** In C, too, the name works without `struct`. */
typedef struct dim3 dim3;

#undef UMSIM_VECTOR
#undef UMSIM_VECTOR_4
#undef UMSIM_VECTOR_123
#undef UMSIM_ALIGNED

#endif
