/**
 * @file link.c
 * @brief Links (CUDA Driver API: Module Management).
 *
 * What is added is kept as it is: the modules' functions find each other when they are loaded (module.c). One
 * alone stays what it was. What no module has, and another one names, ends the link, as on a GPU; in Numba's
 * own modules that is seen when they are loaded. What else is added may be a library of NVIDIA's for kernels
 * that launch kernels, which umcc's modules have in the library.
 */
#include "bind.h"
#include "image.h"
#include "jit_log.h"
#include "module.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct CUlinkState_st {
    struct umsim_linked linked;
    void *images[UMSIM_LINKED_MAX];
    int files[UMSIM_LINKED_MAX]; /* copies of them, to be looked into */
    char names[UMSIM_LINKED_MAX][64];
    struct umsim_jit_logs logs;
    void *whole; /* what cuLinkComplete() gave */
};

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues,
                      CUlinkState *stateOut)
{
    UMSIM_DRIVER(cuLinkCreate, UMSIM_NEEDS_CONTEXT);
    if (!stateOut || (numOptions && (!options || !optionValues)))
        return CUDA_ERROR_INVALID_VALUE;
    *stateOut = calloc(1, sizeof **stateOut);
    if (!*stateOut)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*stateOut)->logs = umsim_jit_logs_of(numOptions, options, optionValues);
    return CUDA_SUCCESS;
}

/* Takes over `image`, from malloc. */
static CUresult add(CUlinkState state, void *image, size_t bytes, const char *name)
{
    struct umsim_image_log log;
    int file;
    const CUresult error = umsim_image_copy(image, &file, &log);
    if (error || state->linked.count == UMSIM_LINKED_MAX) {
        if (!error)
            close(file);
        free(image);
        return error ? error : CUDA_ERROR_NOT_SUPPORTED;
    }
    const uint64_t at = state->linked.count;
    state->linked.bytes[at] = bytes;
    state->files[at] = file;
    snprintf(state->names[at], sizeof state->names[at], "%s", name);
    state->images[state->linked.count++] = image;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned int numOptions, CUjit_option *options, void **optionValues)
{
    UMSIM_DRIVER(cuLinkAddData, UMSIM_NEEDS_CONTEXT);
    (void)numOptions, (void)options, (void)optionValues;
    if (!state || !data || !size)
        return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    if (type == CU_JIT_INPUT_LIBRARY)
        return CUDA_SUCCESS;
    void *copy = malloc(size);
    return copy ? add(state, memcpy(copy, data, size), size, name ? name : "") : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                       CUjit_option *options, void **optionValues)
{
    UMSIM_DRIVER(cuLinkAddFile, UMSIM_NEEDS_CONTEXT);
    (void)numOptions, (void)options, (void)optionValues;
    struct stat status;
    if (!state || !path)
        return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
        if (file >= 0)
            close(file);
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    const size_t bytes = (size_t)status.st_size;
    void *copy = type == CU_JIT_INPUT_LIBRARY ? NULL : malloc(bytes + 1);
    const bool read_all = copy && read(file, copy, bytes) == (ssize_t)bytes;
    close(file);
    if (type == CU_JIT_INPUT_LIBRARY)
        return CUDA_SUCCESS;
    if (!read_all) {
        free(copy);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    return add(state, copy, bytes, path);
}

/* @return all of them, one behind another; NULL: no memory */
static void *join(CUlinkState state, size_t *bytes)
{
    size_t at = sizeof state->linked;
    for (uint64_t i = 0; i < state->linked.count; i++)
        at += state->linked.bytes[i];
    free(state->whole);
    char *whole = state->whole = malloc(at);
    *bytes = at;
    if (!whole)
        return NULL;
    memcpy(state->linked.magic, UMSIM_LINKED_MAGIC, sizeof state->linked.magic);
    memcpy(whole, &state->linked, at = sizeof state->linked);
    for (uint64_t i = 0; i < state->linked.count; i++) {
        memcpy(whole + at, state->images[i], state->linked.bytes[i]);
        at += state->linked.bytes[i];
    }
    return whole;
}

static bool some_module_has(void *data, const char *name)
{
    const struct CUlinkState_st *state = data;
    for (uint64_t i = 0; i < state->linked.count; i++)
        if (umsim_bind_has(state->files[i], name))
            return true;
    return false;
}

/* @return whether a module names what none has; the log says so then */
static bool is_something_undefined(CUlinkState state)
{
    char name[256], text[512] = "";
    for (uint64_t i = 0; i < state->linked.count && !*text; i++)
        if (umsim_bind_lacks(state->files[i], some_module_has, state, name, sizeof name))
            snprintf(text, sizeof text, "error   : Undefined reference to '%s' in '%s'", name,
                     state->names[i]);
    umsim_jit_logs_fill(&state->logs, text);
    return *text;
}

CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut)
{
    UMSIM_DRIVER(cuLinkComplete, UMSIM_NEEDS_CONTEXT);
    if (!state || !cubinOut)
        return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    if (!state->linked.count)
        return CUDA_ERROR_INVALID_VALUE;
    if (is_something_undefined(state))
        return CUDA_ERROR_INVALID_SOURCE;
    size_t bytes = state->linked.bytes[0];
    *cubinOut = state->linked.count == 1 ? state->images[0] : join(state, &bytes);
    if (sizeOut)
        *sizeOut = bytes;
    return *cubinOut ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    UMSIM_DRIVER(cuLinkDestroy, UMSIM_NEEDS_CONTEXT);
    if (!state)
        return CUDA_ERROR_INVALID_HANDLE;
    for (uint64_t i = 0; i < state->linked.count; i++) {
        free(state->images[i]);
        close(state->files[i]);
    }
    free(state->whole);
    free(state);
    return CUDA_SUCCESS;
}
