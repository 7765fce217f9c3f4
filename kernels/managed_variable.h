/**
 * @file managed_variable.h
 * @brief A `__managed__` variable: managed memory that has a name instead of a cudaMallocManaged() call.
 *
 * Only nvcc (or umcc) knows the word `__managed__`, so the variable is in managed_variable.cu, where host
 * code and kernels both call it `um_managed_count`. A C file asks for its address:
 *
 *     int *count = um_managed_variable();
 *     *count = 20;                       // the host writes it
 *     um_managed_variable_add(22, 0);    // a kernel adds to it, by name
 *     cudaDeviceSynchronize();           // before the host looks again
 *     printf("%d\n", *count);            // 42
 */
#ifndef UM_MANAGED_VARIABLE_H
#define UM_MANAGED_VARIABLE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The variable's address, the same number for host and device. Valid as long as the program. */
int *um_managed_variable(void);

/** Launches one thread that adds `more` to the variable. Does not wait. @return what the launch returned. */
cudaError_t um_managed_variable_add(int more, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
