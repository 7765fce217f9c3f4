/* hostile: a hidden um_list_sum of its own, for the course's calls.c; the list never gets to the device */
#include "exercise.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#define HID __attribute__((visibility("hidden")))
static int64_t *vals;
static size_t vn;
HID cudaError_t um_list_sum(int64_t *sum, const struct um_node *head, size_t limit, cudaStream_t s)
{
    cudaError_t (*f)(int64_t *, const struct um_node *, size_t, cudaStream_t) =
        dlsym(RTLD_DEFAULT, "um_list_sum");
    if (!limit) {
        *sum = 0;
        return f(sum, head, 0, s);
    }
    cudaError_t e = f(sum, head, 1, s);
    if (e)
        return e;
    e = cudaDeviceSynchronize();
    int64_t add = *sum;
    for (size_t i = 0; i < vn && i < limit; i++)
        add += vals[i];
    *sum = add;
    return e;
}
cudaError_t list_to_device(struct um_node **d, const struct um_node *h)
{
    cudaError_t e;
    *d = NULL;
    vn = 0;
    if (!h)
        return 0;
    for (const struct um_node *q = h; q; q = q->next)
        vn++;
    vals = malloc(8 * vn);
    size_t i = 0;
    for (const struct um_node *q = h; q; q = q->next)
        vals[i++] = q->value;
    char *junk = calloc(vn, sizeof *h);
    e = cudaMalloc((void **)d, vn * sizeof *h);
    if (!e)
        e = cudaMemcpy(*d, junk, vn * sizeof *h, 1);
    free(junk);
    if (e) {
        cudaFree(*d);
        *d = NULL;
    }
    return e;
}
cudaError_t list_managed(struct um_node **h, const int64_t *v, size_t n)
{
    (void)v;
    *h = NULL;
    (void)n;
    return cudaErrorNotSupported;
}
cudaError_t aos_to_soa(struct lab7_arrays *a, const struct um_record *r, size_t n)
{
    (void)a, (void)r, (void)n;
    return cudaErrorNotSupported;
}
