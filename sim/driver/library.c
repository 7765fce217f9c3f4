/**
 * @file library.c
 * @brief Libraries (CUDA Driver API: Library Management).
 *
 * A library is a module that is loaded without a context: its kernels and variables are for each device.
 */
#include "context.h"
#include "image.h"
#include "module.h"
#include "../base/lock.h"
#include "../space/registry.h"

#include <stdlib.h>

struct CUlib_st {
    struct umsim_span span;
    CUmodule module;
};

static struct umsim_spans libraries;

static CUlibrary library_at(CUlibrary handle)
{
    umsim_lock();
    CUlibrary it = (CUlibrary)umsim_spans_at(&libraries, (uintptr_t)handle);
    umsim_unlock();
    return it;
}

static CUresult make(CUlibrary *out, CUresult error, CUmodule module)
{
    CUlibrary it = error ? NULL : calloc(1, sizeof *it);
    if (!it) {
        if (!error)
            umsim_module_close(module);
        return error ? error : CUDA_ERROR_OUT_OF_MEMORY;
    }
    it->module = module;
    it->span.start = (uintptr_t)it;
    it->span.bytes = sizeof *it;
    umsim_lock();
    umsim_spans_add(&libraries, &it->span);
    umsim_unlock();
    *out = it;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                           void **jitOptionsValues, unsigned int numJitOptions,
                           CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions)
{
    UMSIM_DRIVER(cuLibraryLoadData, UMSIM_NEEDS_INIT);
    (void)jitOptions, (void)jitOptionsValues, (void)libraryOptions, (void)libraryOptionValues;
    (void)numJitOptions, (void)numLibraryOptions;
    struct umsim_image_log log = {""};
    CUmodule module = NULL;
    if (!library)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_module_load(&module, code, UMSIM_ANY_DEVICE, &log);
    return make(library, error, module);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption *libraryOptions, void **libraryOptionValues,
                               unsigned int numLibraryOptions)
{
    UMSIM_DRIVER(cuLibraryLoadFromFile, UMSIM_NEEDS_INIT);
    (void)jitOptions, (void)jitOptionsValues, (void)libraryOptions, (void)libraryOptionValues;
    (void)numJitOptions, (void)numLibraryOptions;
    struct umsim_image_log log = {""};
    CUmodule module = NULL;
    if (!library)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_module_load_file(&module, fileName, UMSIM_ANY_DEVICE, &log);
    return make(library, error, module);
}

CUresult cuLibraryUnload(CUlibrary library)
{
    UMSIM_DRIVER(cuLibraryUnload, UMSIM_NEEDS_INIT);
    CUlibrary it = library_at(library);
    if (!it)
        return CUDA_ERROR_INVALID_HANDLE;
    umsim_lock();
    umsim_spans_remove(&libraries, &it->span);
    umsim_unlock();
    umsim_module_close(it->module);
    free(it);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)
{
    UMSIM_DRIVER(cuLibraryGetKernel, UMSIM_NEEDS_INIT);
    const CUlibrary it = library_at(library);
    if (!pKernel || !name || !it)
        return pKernel && name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    return umsim_module_function((CUfunction *)pKernel, it->module, name);
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib)
{
    UMSIM_DRIVER(cuLibraryGetKernelCount, UMSIM_NEEDS_INIT);
    const CUlibrary it = library_at(lib);
    if (!count || !it)
        return count ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *count = umsim_module_functions(it->module, NULL, 0);
    return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib)
{
    UMSIM_DRIVER(cuLibraryEnumerateKernels, UMSIM_NEEDS_INIT);
    const CUlibrary it = library_at(lib);
    if (!kernels || !numKernels || !it)
        return it ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    umsim_module_functions(it->module, (CUfunction *)kernels, numKernels);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library)
{
    UMSIM_DRIVER(cuLibraryGetModule, UMSIM_NEEDS_CONTEXT);
    const CUlibrary it = library_at(library);
    if (!pMod || !it)
        return pMod ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *pMod = umsim_module_on(it->module, umsim_device());
    return *pMod ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult variable(CUdeviceptr *address, size_t *bytes, CUlibrary handle, const char *name,
                         bool managed)
{
    const CUlibrary it = library_at(handle);
    CUdeviceptr found = 0;
    if (!name || (!address && !bytes) || !it)
        return it ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    const CUresult error = umsim_module_variable(&found, bytes, it->module, name);
    if (error)
        return error;
    cudaFree(NULL); /* so that its sections are known */
    umsim_lock();
    const struct umsim_alloc *allocation = umsim_registry_find(umsim_pointer(found));
    const bool fits = !managed || (allocation && umsim_is_managed(allocation->memory));
    umsim_unlock();
    if (address)
        *address = found;
    return fits ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
    UMSIM_DRIVER(cuLibraryGetGlobal, UMSIM_NEEDS_CONTEXT);
    return variable(dptr, bytes, library, name, false);
}

CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
    UMSIM_DRIVER(cuLibraryGetManaged, UMSIM_NEEDS_INIT);
    return variable(dptr, bytes, library, name, true);
}

CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel)
{
    UMSIM_DRIVER(cuKernelGetLibrary, UMSIM_NEEDS_INIT);
    const struct CUfunc_st *function = umsim_driver_function(kernel);
    if (!pLib || !function)
        return pLib ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    umsim_lock();
    struct umsim_span *it = umsim_spans_behind(&libraries, 0);
    while (it && ((CUlibrary)it)->module != function->module)
        it = umsim_spans_behind(&libraries, it->start);
    umsim_unlock();
    *pLib = (CUlibrary)it;
    return it ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
