/**
 * @file vector_functions.h
 * @brief make_int4(x, y, z, w) and its relatives: one function for each of CUDA's vector types, in C and
 * C++.
 *
 * Include cuda_runtime.h, which includes this file. Host and device code may call the functions.
 */
#ifndef UMSIM_VECTOR_FUNCTIONS_H
#define UMSIM_VECTOR_FUNCTIONS_H

#include "vector_types.h"

/** @cond internal */
#define UMSIM_MAKE_4(element, name)                                                                          \
    static inline name make_##name(element __x, element __y, element __z, element __w)                       \
    {                                                                                                        \
        name __v = {__x, __y, __z, __w};                                                                     \
        return __v;                                                                                          \
    }

#define UMSIM_MAKE(element, name)                                                                            \
    static inline name##1 make_##name##1(element __x)                                                        \
    {                                                                                                        \
        name##1 __v = {__x};                                                                                 \
        return __v;                                                                                          \
    }                                                                                                        \
    static inline name##2 make_##name##2(element __x, element __y)                                           \
    {                                                                                                        \
        name##2 __v = {__x, __y};                                                                            \
        return __v;                                                                                          \
    }                                                                                                        \
    static inline name##3 make_##name##3(element __x, element __y, element __z)                              \
    {                                                                                                        \
        name##3 __v = {__x, __y, __z};                                                                       \
        return __v;                                                                                          \
    }                                                                                                        \
    UMSIM_MAKE_4(element, name##4)

UMSIM_MAKE(signed char, char)
UMSIM_MAKE(unsigned char, uchar)
UMSIM_MAKE(short, short)
UMSIM_MAKE(unsigned short, ushort)
UMSIM_MAKE(int, int)
UMSIM_MAKE(unsigned int, uint)
UMSIM_MAKE(long int, long)
UMSIM_MAKE(unsigned long int, ulong)
UMSIM_MAKE(long long int, longlong)
UMSIM_MAKE(unsigned long long int, ulonglong)
UMSIM_MAKE(float, float)
UMSIM_MAKE(double, double)
#ifndef UMSIM_CUDA12
UMSIM_MAKE_4(long int, long4_16a)
UMSIM_MAKE_4(long int, long4_32a)
UMSIM_MAKE_4(unsigned long int, ulong4_16a)
UMSIM_MAKE_4(unsigned long int, ulong4_32a)
UMSIM_MAKE_4(long long int, longlong4_16a)
UMSIM_MAKE_4(long long int, longlong4_32a)
UMSIM_MAKE_4(unsigned long long int, ulonglong4_16a)
UMSIM_MAKE_4(unsigned long long int, ulonglong4_32a)
UMSIM_MAKE_4(double, double4_16a)
UMSIM_MAKE_4(double, double4_32a)
#endif
/** @endcond */

#undef UMSIM_MAKE
#undef UMSIM_MAKE_4

#include "cuda_runtime_api.h" /* for programs: NVIDIA's header brings it */

#endif
