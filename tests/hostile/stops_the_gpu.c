/* hostile: stops the GPU process in the middle */
#include "exercise.h"

#include <signal.h>
#include <unistd.h>

int umsim_gpu_pid(void);

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    kill(umsim_gpu_pid(), SIGSTOP);
    kill(getppid(), SIGSTOP);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
