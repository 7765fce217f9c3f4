/* hostile: right code, and calls of CUDA that CUDA has not, told by the library's own function */
/* cases: 3 */
/* noticed: the GPU was told what no library would tell it */
#include "exercise.h"
#include "inside.h"

static void tell_all(void)
{
    void (*tell)(const char *);
    char name[48];
    *(void **)&tell = aim("umsim_ledger_call");
    if (!tell)
        return;
#if HOSTILE_CASE == 0 /* more than the ledger has room for */
    for (int i = 0; i < 170; i++) {
        snprintf(name, sizeof name, "cudaFoo%d", i);
        tell(name);
    }
#elif HOSTILE_CASE == 1 /* what would be more than one setting in UMSIM_FAIL */
    tell("cudaX:1,=\n\033[31m;bad");
#else                   /* as long as a name may be */
    memset(name, 'a', sizeof name);
    memcpy(name, "cuda", 4);
    name[47] = '\0';
    tell(name);
#endif
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaError_t error;
    tell_all();
    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d, 12 * n);
    if (error == cudaSuccess)
        error = cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_vector_add(d + 2 * n, d, d + n, n, NULL);
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
