/**
 * @file result.c
 * @brief Errors of the driver API: their names and words, and which one an error of the runtime's is.
 *
 * The two lists of numbers were one once: what both have has the same number and the same words. The
 * runtime's own are the driver's CUDA_ERROR_INVALID_VALUE, or stand in the table.
 */
#include "driver.h"
#include "../base/error_names.h"

#define NAMED(name)                                                                                          \
    {                                                                                                        \
        name, #name                                                                                          \
    }

static const struct {
    CUresult number;
    const char *name;
} names[] = {
#include "result_names.def"
};

enum { NAMES = sizeof names / sizeof *names };

static const char *name_of(CUresult error)
{
    for (int i = 0; i < NAMES; i++)
        if (names[i].number == error)
            return names[i].name;
    return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **pStr)
{
    if (!pStr)
        return CUDA_ERROR_INVALID_VALUE;
    *pStr = name_of(error);
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The two that mean something else to the runtime, or nothing. */
static const char *words_of(CUresult error)
{
    switch (error) {
    case CUDA_ERROR_INVALID_CONTEXT:
        return "no context is current in this thread, or it is no context (cuCtxCreate, "
               "cuDevicePrimaryCtxRetain)";
    case CUDA_ERROR_NOT_INITIALIZED:
        return "cuInit() has not been called";
    case CUDA_ERROR_NOT_FOUND:
        return "there is nothing of this name";
    default:
        return umsim_error_words((cudaError_t)error);
    }
}

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    if (!pStr)
        return CUDA_ERROR_INVALID_VALUE;
    *pStr = name_of(error) ? words_of(error) : NULL;
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult umsim_result(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidSymbol:
        return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    default:
        return name_of((CUresult)error) ? (CUresult)error : CUDA_ERROR_INVALID_VALUE;
    }
}
