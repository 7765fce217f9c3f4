/**
 * @file device_variable.cu
 * @brief One `__device__` variable, for lessons about addresses.
 *
 * device_variable.h says how to call it.
 */
#include "device_variable.h"

__device__ int um_device_count = 0;

extern "C" cudaError_t um_device_variable(void **address, size_t *bytes)
{
    cudaError_t error = cudaGetSymbolAddress(address, um_device_count);

    return error == cudaSuccess ? cudaGetSymbolSize(bytes, um_device_count) : error;
}
