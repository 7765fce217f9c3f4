/**
 * @file new.c
 * @brief The operators new and delete for programs whose device code uses them: on the simulated GPU they
 * take memory from the kernels' heap, on the host they call the next library's functions, with their
 * exceptions.
 *
 * C++ lets a program replace these functions. umcc puts such replacements, which call what is here, into each
 * object file that needs them (umcc/library.c). They are weak, so that a program's own replacements come
 * first.
 */
#include "heap.h"
#include "../include/umsim/library.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The C++ ABI's names; the second of each pair is the array's. */
static const struct {
    const char *names[2];
} forms[] = {
    [UMSIM_NEW] = {{"_Znwm", "_Znam"}},
    [UMSIM_NEW_NOTHROW] = {{"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"}},
    [UMSIM_NEW_ALIGNED] = {{"_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"}},
    [UMSIM_DELETE] = {{"_ZdlPv", "_ZdaPv"}},
    [UMSIM_DELETE_NOTHROW] = {{"_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t"}},
    [UMSIM_DELETE_ALIGNED] = {{"_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t"}},
};

static void *next(int form, int array)
{
    static void *found[sizeof forms / sizeof forms[0]][2];
    void *function = __atomic_load_n(&found[form][array], __ATOMIC_RELAXED);
    if (!function)
        function = dlsym(RTLD_NEXT, forms[form].names[array]);
    if (!function) { /* the C++ library is loaded before this one, or nothing else of it was needed */
        void *library = dlopen("libstdc++.so.6", RTLD_NOW);
        function = library ? dlsym(library, forms[form].names[array]) : NULL;
    }
    if (!function)
        abort();
    __atomic_store_n(&found[form][array], function, __ATOMIC_RELAXED);
    return function;
}

void *umsim_new(int form, int array, size_t bytes, size_t alignment, const void *tag)
{
    if (umsim_in_kernel())
        return umsim_kernel_malloc_for(bytes ? bytes : 1, alignment,
                                       tag && form != UMSIM_NEW_NOTHROW ? tag : __builtin_return_address(0));
    void *function = next(form, array);
    if (form == UMSIM_NEW)
        return ((void *(*)(size_t))function)(bytes);
    if (form == UMSIM_NEW_NOTHROW)
        return ((void *(*)(size_t, const void *))function)(bytes, tag);
    return ((void *(*)(size_t, size_t))function)(bytes, alignment);
}

void umsim_delete(int form, int array, void *p, size_t alignment, const void *tag)
{
    if (umsim_in_kernel()) {
        umsim_free(p);
        return;
    }
    void *function = next(form, array);
    if (form == UMSIM_DELETE)
        ((void (*)(void *))function)(p);
    else if (form == UMSIM_DELETE_NOTHROW)
        ((void (*)(void *, const void *))function)(p, tag);
    else
        ((void (*)(void *, size_t))function)(p, alignment);
}
