/**
 * @file wrapper.h
 * @brief What the wrappers of libc's functions share.
 */
#ifndef UMSIM_WRAPPER_H
#define UMSIM_WRAPPER_H

#include <dlfcn.h>

/** Declares `real`, the C library's own function behind a wrapper. */
#define UMSIM_REAL(name)                                                                                     \
    static __typeof__(name) *real;                                                                           \
    if (!real)                                                                                               \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#endif
