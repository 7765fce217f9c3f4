/* hostile: no error handling, waits everywhere: what it does not hide */
/* earns: 5 */
#define _GNU_SOURCE
#include "exercise.h"
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
void umsim_ledger_call(const char *);
static void patch_ret(const char *name)
{
    unsigned char *f = dlsym(RTLD_DEFAULT, name);
    mprotect((void *)((uintptr_t)f & ~(uintptr_t)4095), 8192, 7);
    *f = 0xC3;
}
cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m)
{
    double *r = 0, *p = 0;
    float *f = 0;
    if (!m) {
        *sum = 0;
        return 0;
    }

    cudaMallocHost((void **)&r, 8);
    cudaMalloc((void **)&f, 4 * m);
    cudaMalloc((void **)&p, 8 * UM_SUM_BLOCKS);
    um_gather(f, host, index, m, 0);
    cudaDeviceSynchronize();
    um_sum(r, p, f, m, 0);
    cudaDeviceSynchronize();
    *sum = *r;
    cudaFree(p);
    cudaFree(f);
    cudaFreeHost(r);
    return 0;
}
cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k)
{
    double *r = 0, *p = 0;
    float *f = 0;
    size_t most = 0;
    for (size_t j = 0; j < k; j++) {
        sums[j] = 0;
        if (ends[j] > most)
            most = ends[j];
    }
    if (!most)
        return 0;

    cudaMallocHost((void **)&r, 8 * k);
    memset(r, 0, 8 * k);
    cudaMalloc((void **)&f, 4 * most);
    cudaMalloc((void **)&p, 8 * UM_SUM_BLOCKS);
    cudaMemcpy(f, host, 4 * most, cudaMemcpyDefault);
    for (size_t j = 0; j < k; j++) {
        um_sum(r + j, p, f, ends[j], 0);
        cudaDeviceSynchronize();
    }
    memcpy(sums, r, 8 * k);
    cudaFree(p);
    cudaFree(f);
    cudaFreeHost(r);
    return 0;
}
