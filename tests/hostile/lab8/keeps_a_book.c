/* hostile: hidden functions of its own note what calls.c allocates and queues; CUDA is never asked */
#include "exercise.h"
#include <dlfcn.h>
#include <stdint.h>
#define HID __attribute__((visibility("hidden")))
#define REAL(n) dlsym(RTLD_DEFAULT, #n)
static struct {
    uintptr_t p;
    size_t n;
    int kind;
} book[4096];
static int count;
static void *busy;
static void note(void *p, size_t n, int k)
{
    if (count < 4096) {
        book[count].p = (uintptr_t)p;
        book[count].n = n;
        book[count++].kind = k;
    }
}
static void drop(void *p)
{
    for (int i = 0; i < count; i++)
        if (book[i].p == (uintptr_t)p)
            book[i].n = 0;
}
HID cudaError_t cudaMalloc(void **p, size_t n)
{
    cudaError_t (*f)(void **, size_t) = REAL(cudaMalloc);
    cudaError_t e = f(p, n);
    if (!e)
        note(*p, n, 1);
    return e;
}
HID cudaError_t cudaMallocHost(void **p, size_t n)
{
    cudaError_t (*f)(void **, size_t) = REAL(cudaMallocHost);
    cudaError_t e = f(p, n);
    if (!e)
        note(*p, n, 2);
    return e;
}
HID cudaError_t cudaMallocManaged(void **p, size_t n, unsigned g)
{
    cudaError_t (*f)(void **, size_t, unsigned) = REAL(cudaMallocManaged);
    cudaError_t e = f(p, n, g);
    if (!e)
        note(*p, n, 3);
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
HID cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t s)
{
    cudaError_t (*f)(void *, int, size_t, cudaStream_t) = REAL(cudaMemsetAsync);
    busy = s;
    return f(p, v, n, s);
}
HID cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    cudaError_t (*f)(cudaStream_t) = REAL(cudaStreamDestroy);
    busy = 0;
    return f(s);
}
static int of(uintptr_t p)
{
    for (int i = count; i--;)
        if (p - book[i].p < book[i].n)
            return book[i].kind;
    return 0;
}
enum lab8_access host_access(const void *p, size_t b, cudaStream_t s)
{
    if (!b)
        return LAB8_LOOK;
    int x = of((uintptr_t)p), y = of((uintptr_t)p + b - 1);
    if (!x || !y)
        return LAB8_NOT_CUDAS;
    if (x == 1 || y == 1)
        return LAB8_COPY;
    return busy && busy == (void *)s ? LAB8_WAIT : LAB8_LOOK;
}
bool record_layout(const struct lab8_field *f, size_t c, size_t *o, size_t *r)
{
    (void)f, (void)c, (void)o, (void)r;
    return false;
}
cudaError_t export_view(struct lab8_memory *m, const struct lab8_view *v, struct lab8_tensor **o)
{
    (void)m, (void)v;
    *o = 0;
    return cudaErrorNotSupported;
}
