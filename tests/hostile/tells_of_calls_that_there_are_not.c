/* hostile: right code, and calls of CUDA that CUDA has not, told by the library's own function */
/* cases: 3 */
/* earns: 12 */
#include "exercise.h"
#include "inside.h"

static void tell_all(void)
{
    void (*say)(const void *, const void *, void *);
    static uint32_t call[128] = {1}, answer[128]; /* channel.h: CALL */
    *(void **)&say = aim("umsim_client_say");
    if (!say)
        return;
#if HOSTILE_CASE == 0 /* more than the ledger has room for */
    for (uint32_t number = 0; number < 1000; number++) {
        call[1] = 100000 + number;
        say(call, NULL, answer);
    }
#elif HOSTILE_CASE == 1 /* before the first */
    call[1] = UINT32_MAX;
    say(call, NULL, answer);
#else                   /* the first one behind the last */
    for (uint32_t number = 220; number < 400; number++) {
        call[1] = number;
        say(call, NULL, answer);
    }
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

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    tell_all(); /* a check that fails shows what was printed */
    return cudaErrorNotSupported;
}
