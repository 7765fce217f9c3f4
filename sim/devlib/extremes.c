/**
 * @file extremes.c
 * @brief fmax(), fmin(), fmaxf() and fminf() as a GPU has them: +0 is greater than -0.
 *
 * C lets a library take either zero, and its own takes the first. Programs find these instead, however they
 * came to the function: by a pointer, in a header, as std::fmax(). What a call in device code becomes is in
 * umsim/math.h. Of NaN and a number the result is the number.
 */
#include <math.h>

/* @param first whether `a` is the result of two equal numbers: they differ if they are zeros, by their signs
 */
#define EXTREME(type, name, than, first)                                                                     \
    type name(type a, type b)                                                                                \
    {                                                                                                        \
        if (a == b)                                                                                          \
            return (first) ? a : b;                                                                          \
        return a than b || b != b ? a : b;                                                                   \
    }
EXTREME(float, fmaxf, >, !signbit(a))
EXTREME(float, fminf, <, signbit(a))
EXTREME(double, fmax, >, !signbit(a))
EXTREME(double, fmin, <, signbit(a))
