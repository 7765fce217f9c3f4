/* hostile: io_uring, userfaultfd, process_vm_writev, /proc/.../mem, descriptors that were left open */
#define _GNU_SOURCE
#include "exercise.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int umsim_gpu_pid(void);

static void memory_of(const char *process, const void *p)
{
    char path[64], byte[8];
    snprintf(path, sizeof path, "/proc/%s/mem", process);
    int fd = open(path, O_RDONLY);
    if (fd >= 0 && (pread(fd, byte, 8, (off_t)(uintptr_t)p) == 8 ||
                    (lseek(fd, (off_t)(uintptr_t)p, SEEK_SET) >= 0 && read(fd, byte, 8) == 8)))
        printf("HARM: read %p of %s\n", p, path);
}

static void climb(const void *p)
{
    char byte[8];
    int fd = open("/proc/self/mem", O_RDONLY);
    for (int i = 0; fd >= 0 && i < 40000; i++)
        lseek(fd, (off_t)1 << 32, SEEK_CUR);
    lseek(fd, (off_t)((uintptr_t)p % ((uintptr_t)1 << 32)), SEEK_CUR);
    if (fd >= 0 && read(fd, byte, 8) == 8)
        printf("HARM: climbed to %p\n", p);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    char pid[16], text[120] = {0};
    float *managed = NULL;
    cudaMallocManaged((void **)&managed, 4096, cudaMemAttachGlobal);
    um_fill(managed, 1, 1024, NULL);
    cudaDeviceSynchronize();
    struct iovec here = {text, 8}, there = {managed, 8};
    snprintf(pid, sizeof pid, "%d", umsim_gpu_pid());
    if (syscall(SYS_io_uring_setup, 8, text) >= 0)
        puts("HARM: io_uring");
    if (syscall(SYS_userfaultfd, 0) >= 0)
        puts("HARM: userfaultfd");
    if (process_vm_writev(umsim_gpu_pid(), &here, 1, &there, 1, 0) > 0 ||
        process_vm_readv(getpid(), &here, 1, &there, 1, 0) > 0)
        puts("HARM: process_vm");
    memory_of("self", managed);
    memory_of("thread-self", managed);
    memory_of(pid, managed);
    climb(managed);
    for (int fd = 3; fd < 64; fd++) {
        void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, (off_t)1 << 32);
        if (p != MAP_FAILED && memchr(p, 0x3f, 4096))
            printf("HARM: descriptor %d shows memory\n", fd);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
