/* hostile: looks into other processes' memory */
#include "exercise.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int umsim_gpu_pid(void);

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const int pids[] = {umsim_gpu_pid(), getppid(), 1};
    for (int i = 0; i < 3; i++) {
        char path[64], byte;
        struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)vector_add_host, 1};
        if (process_vm_readv(pids[i], &here, 1, &there, 1, 0) == 1 ||
            process_vm_writev(pids[i], &here, 1, &there, 1, 0) == 1)
            puts("HARM: reads memory");
        snprintf(path, sizeof path, "/proc/%d/mem", pids[i]);
        if (open(path, O_RDONLY) >= 0 || open(path, O_RDWR) >= 0)
            printf("HARM: opened memory of %d\n", i);
        for (int fd = 0; fd < 20; fd++) {
            snprintf(path, sizeof path, "/proc/%d/fd/%d", pids[i], fd);
            if (open(path, O_RDONLY) >= 0)
                printf("HARM: opened descriptor %d of %d\n", fd, i);
        }
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
