/* hostile: hidden allocation functions of its own note what calls.c allocates; CUDA is never asked */
#include "exercise.h"
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define HID __attribute__((visibility("hidden")))
static struct {
    uintptr_t p;
    size_t n;
    int kind;
} book[256];
static int count;
static void note(void *p, size_t n, int kind)
{
    if (count < 256) {
        book[count].p = (uintptr_t)p;
        book[count].n = n;
        book[count++].kind = kind;
    }
}
static void drop(void *p)
{
    for (int i = 0; i < count; i++)
        if (book[i].p == (uintptr_t)p)
            book[i].kind = LAB2_PLAIN, book[i].n = 0;
}
#define REAL(name) dlsym(RTLD_DEFAULT, #name)
HID cudaError_t cudaMalloc(void **p, size_t n)
{
    cudaError_t (*f)(void **, size_t) = REAL(cudaMalloc);
    cudaError_t e = f(p, n);
    if (!e)
        note(*p, n, LAB2_DEVICE);
    return e;
}
HID cudaError_t cudaMallocHost(void **p, size_t n)
{
    cudaError_t (*f)(void **, size_t) = REAL(cudaMallocHost);
    cudaError_t e = f(p, n);
    if (!e)
        note(*p, n, LAB2_PINNED);
    return e;
}
HID cudaError_t cudaHostAlloc(void **p, size_t n, unsigned g)
{
    cudaError_t (*f)(void **, size_t, unsigned) = REAL(cudaHostAlloc);
    cudaError_t e = f(p, n, g);
    if (!e)
        note(*p, n, LAB2_PINNED);
    return e;
}
HID cudaError_t cudaHostRegister(void *p, size_t n, unsigned g)
{
    cudaError_t (*f)(void *, size_t, unsigned) = REAL(cudaHostRegister);
    cudaError_t e = f(p, n, g);
    if (!e)
        note(p, n, LAB2_PINNED);
    return e;
}
HID cudaError_t cudaMallocManaged(void **p, size_t n, unsigned g)
{
    cudaError_t (*f)(void **, size_t, unsigned) = REAL(cudaMallocManaged);
    cudaError_t e = f(p, n, g);
    if (!e)
        note(*p, n, LAB2_MANAGED);
    return e;
}
HID cudaError_t cudaFree(void *p)
{
    cudaError_t (*f)(void *) = REAL(cudaFree);
    drop(p);
    return f(p);
}
HID cudaError_t cudaFreeHost(void *p)
{
    cudaError_t (*f)(void *) = REAL(cudaFreeHost);
    drop(p);
    return f(p);
}
HID cudaError_t cudaHostUnregister(void *p)
{
    cudaError_t (*f)(void *) = REAL(cudaHostUnregister);
    drop(p);
    return f(p);
}
enum lab2_kind classify(const void *p)
{
    for (int i = count; i--;)
        if ((uintptr_t)p - book[i].p < book[i].n)
            return book[i].kind;
    return LAB2_PLAIN;
}
bool host_may_read(const void *p, size_t n)
{
    (void)p;
    (void)n;
    return true;
}
