/* hostile: ends the GPU process */
#include "exercise.h"

#include <signal.h>

int umsim_gpu_pid(void);

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    kill(umsim_gpu_pid(), SIGKILL);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
