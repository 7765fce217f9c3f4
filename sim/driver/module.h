/**
 * @file module.h
 * @brief Modules: shared objects of umcc's, opened in the program while it runs.
 *
 * The GPU process has no code but what it was forked with. So a module is opened in the host's process, and
 * at the next call the GPU process is forked anew (api/runtime.c): it waits for the device, and device memory
 * and other modules' variables stay as they are.
 */
#ifndef UMSIM_DRIVER_MODULE_H
#define UMSIM_DRIVER_MODULE_H

#include "function.h"

struct CUmod_st {
    struct umsim_span span; /* in the set of live handles */
    int device;             /* whose context it was loaded in; UMSIM_ANY_DEVICE: a library's */
    CUmodule of, views;     /* of a library's module as one device has it: that module; and a list of those */
    unsigned count;
    struct umsim_part {
        void *opened; /* dlopen()'s */
        int file;     /* its copy, in memory */
        struct umsim_library library;
    } parts[]; /* one; or several that were linked */
};

/**
 * A function that one part of a module calls, and another one has: a table of these, up to a NULL, is a
 * part's symbol um_imports (nvvm/loops.py).
 */
struct umsim_import {
    void **slot;
    const char *name;
};

/** Loads a module. @param device for which; UMSIM_ANY_DEVICE @param log why it was refused */
struct umsim_image_log;
CUresult umsim_module_load(CUmodule *out, const void *image, int device, struct umsim_image_log *log);
/** The same from a file. */
CUresult umsim_module_load_file(CUmodule *out, const char *name, int device, struct umsim_image_log *log);
/** A library's module as a device has it: with one device, and of another module, it is that itself. @return
 * NULL: there is no memory */
CUmodule umsim_module_on(CUmodule module, unsigned device);
/** Closes it. */
void umsim_module_close(CUmodule module);

/** The live module behind a handle, or NULL. */
CUmodule umsim_module_at(CUmodule handle);

/** One of its kernels by name, and one of its variables. @return CUDA_ERROR_NOT_FOUND */
CUresult umsim_module_function(CUfunction *out, CUmodule module, const char *name);
CUresult umsim_module_variable(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
/** As many of its kernels as there is room for; NULL: none. @return how many it has */
unsigned umsim_module_functions(CUmodule module, CUfunction *out, unsigned capacity);

#endif
