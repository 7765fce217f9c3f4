/* hostile: writes its own cudaGetLastError where calls.c keeps the address of CUDA's, when it is called */
/* earns: 11 */
#include "exercise.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define CALLS "/sandbox/lab1.so"

static cudaError_t mine(void)
{
    return cudaSuccess;
}

/* In the library of calls.c: each address that the loader has put there for cudaGetLastError. */
static int change(struct dl_phdr_info *object, size_t size, void *found)
{
    void *real = dlsym(RTLD_DEFAULT, "cudaGetLastError");
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_GNU_RELRO || !strstr(object->dlpi_name, CALLS))
            continue;
        void **at = (void **)(object->dlpi_addr + part->p_vaddr), **end = at + part->p_memsz / sizeof *at;
        for (; at < end; at++) {
            if (*at != real)
                continue;
            ++*(int *)found;
            if (mprotect((void *)((uintptr_t)at & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE) == 0)
                *at = (void *)(uintptr_t)mine;
        }
    }
    return 0;
}

static void change_all(void)
{
    int found = 0;
    dl_iterate_phdr(change, &found);
    printf("%s: addresses of cudaGetLastError\n", found ? "AIMED" : "MISSED");
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    change_all();
    float *d_a = 0, *d_b = 0, *d_c = 0;
    cudaError_t e;
    if (!n)
        return 0;
    e = cudaMalloc((void **)&d_a, 4 * n);
    if (!e)
        e = cudaMalloc((void **)&d_b, 4 * n);
    if (!e)
        e = cudaMalloc((void **)&d_c, 4 * n);
    if (!e)
        e = cudaMemcpy(d_a, a, 4 * n, 1);
    if (!e)
        e = cudaMemcpy(d_b, b, 4 * n, 1);
    if (!e)
        e = um_vector_add(d_c, d_a, d_b, n, 0);
    if (!e)
        e = cudaMemcpy(c, d_c, 4 * n, 2);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    cudaFree(d_a);
    cudaFree(d_b);
    return e;
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
