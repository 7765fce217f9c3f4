/* hostile: handles SIGSEGV itself, with bare system calls, and opens all */
#include "exercise.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void open_it(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    if (mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE) != 0)
        _exit(1);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    struct sigaction action = {.sa_sigaction = open_it, .sa_flags = SA_SIGINFO};
    float *d = NULL;
    syscall(SYS_rt_sigaction, SIGSEGV, &action, NULL, 8);
    cudaMalloc((void **)&d, 4096);
    d[0] = a ? a[0] + b[0] : 0;
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
