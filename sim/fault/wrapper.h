/**
 * @file wrapper.h
 * @brief What the wrappers of libc's functions share.
 */
#ifndef UMSIM_WRAPPER_H
#define UMSIM_WRAPPER_H

#include <dlfcn.h>

/**
 * Declares `real`, the C library's own function behind a wrapper, which may be given managed memory: a line
 * BY_HAND of call_table.h says what it does with it.
 */
#define UMSIM_SERVED(name)                                                                                   \
    extern __typeof__(name) umsim_served_##name;                                                             \
    __typeof__(name) *const real = umsim_served_##name

/** Declares `real`, the C library's own function behind a wrapper. */
#define UMSIM_REAL(name)                                                                                     \
    static __typeof__(name) *real;                                                                           \
    if (!real)                                                                                               \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#endif
