/**
 * @file function.c
 * @brief Implementation of function.h; the runtime's calls that give such handles (CUDA Runtime API,
 * Interactions with the CUDA Driver API).
 */
#include "function.h"
#include "runtime.h"
#include "../space/modules.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static struct umsim_spans handles;
static struct CUfunc_st *all;

struct CUfunc_st *umsim_function_at(const void *handle)
{
    return (struct CUfunc_st *)umsim_spans_at(&handles, (uintptr_t)handle);
}

/* The name in the object file, or where a program hides it, in its source. */
static bool name_it(struct CUfunc_st *it, const char *in_source)
{
    Dl_info info;
    if (dladdr(it->stub, &info) && info.dli_sname && info.dli_saddr == it->stub)
        it->own_name = strdup(info.dli_sname);
    else
        it->own_name = strdup(in_source);
    it->name = it->own_name;
    return it->own_name != NULL;
}

static void add(struct CUfunc_st *it)
{
    it->span.start = (uintptr_t)it;
    it->span.bytes = sizeof *it;
    umsim_spans_add(&handles, &it->span);
    it->next = all;
    all = it;
}

struct CUfunc_st *umsim_function_of(const void *stub, struct CUmod_st *module, int device)
{
    const char *name;
    for (struct CUfunc_st *it = all; it; it = it->next)
        if (it->stub == stub && !it->kernel)
            return it;
    if (!umsim_kernel_thunk(stub, &name))
        return NULL;
    struct CUfunc_st *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->stub = stub;
    it->module = module;
    it->device = device;
    it->has_parameters = umsim_kernel_parameters(stub, &it->parameters, &it->parameter_count);
    if (!name_it(it, name)) {
        free(it);
        return NULL;
    }
    add(it);
    return it;
}

struct CUfunc_st *umsim_function_on(struct CUfunc_st *kernel, unsigned device)
{
    if (umsim_devices == 1 || kernel->device != UMSIM_ANY_DEVICE)
        return kernel;
    for (struct CUfunc_st *it = all; it; it = it->next)
        if (it->kernel == kernel && it->device == (int)device)
            return it;
    struct CUfunc_st *it = malloc(sizeof *it);
    if (!it)
        return NULL;
    *it = *kernel;
    it->own_name = NULL; /* the kernel has it, and is forgotten with it */
    it->old = NULL;
    it->kernel = kernel;
    it->device = (int)device;
    add(it);
    return it;
}

void umsim_functions_forget(const struct umsim_library *library)
{
    for (struct CUfunc_st **link = &all; *link;) {
        struct CUfunc_st *it = *link;
        if ((uintptr_t)it->stub - library->start >= library->end - library->start) {
            link = &it->next;
            continue;
        }
        *link = it->next;
        umsim_spans_remove(&handles, &it->span);
        free(it->own_name);
        free(it->old);
        free(it);
    }
}

static cudaError_t handle_of(void **out, const void *symbol)
{
    if (!out || !symbol)
        return cudaErrorInvalidValue;
    *out = umsim_function_of(symbol, NULL, UMSIM_ANY_DEVICE);
    return *out ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)
{
    UMSIM_ENTER(cudaGetFuncBySymbol, functionPtr, symbolPtr);
    return umsim_leave(handle_of((void **)functionPtr, symbolPtr));
}

cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
    UMSIM_ENTER(cudaGetKernel, kernelPtr, entryFuncAddr);
    return umsim_leave(handle_of((void **)kernelPtr, entryFuncAddr));
}

static cudaError_t name_of(const char **name, const void *func)
{
    if (!name)
        return cudaErrorInvalidValue;
    const struct CUfunc_st *it = func ? umsim_function_of(func, NULL, UMSIM_ANY_DEVICE) : NULL;
    *name = it ? it->name : NULL;
    return it ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    UMSIM_ENTER(cudaFuncGetName, name, func);
    return umsim_leave(name_of(name, func));
}
