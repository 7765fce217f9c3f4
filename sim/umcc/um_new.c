/*
 * um_new.c: new and delete of programs whose device code uses them. umcc links it where a source asks for it
 * (library.c): on the simulated GPU they take memory from the kernels' heap, on the host they are the next library's,
 * with its exceptions.
 *
 * The functions have the names that the C++ ABI gives to `operator new(size_t)` and its kin; a program may replace
 * these. In C, because that needs no C++ library of its own.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../include/umsim_library.h"

#include <dlfcn.h>
#include <stdlib.h>

/** What a source that uses new or delete in device code names, so that this file is linked. */
extern const char umsim_new_is_replaced;
const char umsim_new_is_replaced = 1;

static void *next(void **kept, const char *name)
{
    void *function = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (!function)
        function = dlsym(RTLD_NEXT, name);
    if (!function) { /* nothing else of the C++ library was needed, so it was not linked */
        void *library = dlopen("libstdc++.so.6", RTLD_NOW);
        function = library ? dlsym(library, name) : NULL;
    }
    if (!function)
        abort();
    __atomic_store_n(kept, function, __ATOMIC_RELAXED);
    return function;
}

/* `parameters` and `arguments` behind the first one; `alignment` 0 is the heap's own. */
#define NEW(symbol, alignment, parameters, arguments)                                                        \
    void *symbol parameters;                                                                                 \
    void *symbol parameters                                                                                  \
    {                                                                                                        \
        static void *host;                                                                                   \
        if (umsim_in_kernel())                                                                               \
            return umsim_kernel_malloc(bytes ? bytes : 1, alignment);                                        \
        return ((void *(*)parameters)next(&host, #symbol))arguments;                                         \
    }
#define DELETE(symbol, parameters, arguments)                                                                \
    void symbol parameters;                                                                                  \
    void symbol parameters                                                                                   \
    {                                                                                                        \
        static void *host;                                                                                   \
        if (umsim_in_kernel())                                                                               \
            umsim_free(p);                                                                                   \
        else                                                                                                 \
            ((void(*) parameters)next(&host, #symbol)) arguments;                                            \
    }

NEW(_Znwm, 0, (size_t bytes), (bytes))
NEW(_Znam, 0, (size_t bytes), (bytes))
NEW(_ZnwmRKSt9nothrow_t, 0, (size_t bytes, const void *tag), (bytes, tag))
NEW(_ZnamRKSt9nothrow_t, 0, (size_t bytes, const void *tag), (bytes, tag))
NEW(_ZnwmSt11align_val_t, align, (size_t bytes, size_t align), (bytes, align))
NEW(_ZnamSt11align_val_t, align, (size_t bytes, size_t align), (bytes, align))
DELETE(_ZdlPv, (void *p), (p))
DELETE(_ZdaPv, (void *p), (p))
DELETE(_ZdlPvm, (void *p, size_t bytes), (p, bytes))
DELETE(_ZdaPvm, (void *p, size_t bytes), (p, bytes))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *tag), (p, tag))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *tag), (p, tag))
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t bytes, size_t align), (p, bytes, align))
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t bytes, size_t align), (p, bytes, align))
