/**
 * @file error.c
 * @brief Names and descriptions of errors, and the last error of each thread (CUDA Runtime API, Error
 * Handling).
 *
 * Nothing here takes the lock or starts the simulator: a program may ask what an error means at any time.
 */
#include "runtime.h"
#include "refused.h"
#include "../base/error_names.h"

const char *cudaGetErrorName(cudaError_t error)
{
    umsim_refusal_asked(error);
    return umsim_error_name(error);
}

const char *cudaGetErrorString(cudaError_t error)
{
    umsim_refusal_asked(error);
    return umsim_error_words(error);
}

/* Only errors that calls returned are remembered. A kernel's sticky error gets here with the first call that
 * returns it, and can be read away like any other; the next call that needs the device brings it back. An
 * H200 (driver 580) behaves so. */
cudaError_t cudaPeekAtLastError(void)
{
    umsim_refusal_fetched();
    return umsim_last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = umsim_last_error;
    umsim_refusal_fetched();
    umsim_last_error = cudaSuccess;
    return error;
}
