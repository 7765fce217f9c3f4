/**
 * @file device_variable.h
 * @brief A `__device__` variable: device memory that has a name instead of a cudaMalloc() call.
 *
 * In a host program such a name is a symbol, not a variable: cudaGetSymbolAddress() turns it into the
 * address that kernels use. Only code that nvcc (or umcc) compiles knows the symbol, so a C file calls:
 *
 *     void *address;
 *     size_t bytes;
 *     um_device_variable(&address, &bytes);
 */
#ifndef UM_DEVICE_VARIABLE_H
#define UM_DEVICE_VARIABLE_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Address and size of an int that lives in device memory as long as the program. @return what CUDA said. */
cudaError_t um_device_variable(void **address, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
