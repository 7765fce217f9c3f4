/* hostile: debugs the GPU process, and its parent */
#include "exercise.h"

#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

int umsim_gpu_pid(void);

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const int pids[] = {umsim_gpu_pid(), getppid(), 1};
    for (int i = 0; i < 3; i++) {
        if (ptrace(PTRACE_SEIZE, pids[i], NULL, NULL) == 0 || ptrace(PTRACE_ATTACH, pids[i], NULL, NULL) == 0)
            puts("HARM: traces");
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
