/* hostile: says that its process has ended, and that the ledger may be read, before it leaks */
/* earns: 6 */
#include "exercise.h"
#include "inside.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    void (*say)(const void *, const void *, void *);
    static uint32_t ends[128] = {8}, settles[128] = {9}, answer[128]; /* channel.h: END, SETTLE */
    float *d = NULL;
    if (n == 0)
        return cudaErrorInvalidValue;
    *(void **)&say = aim("umsim_client_say");
    if (say)
        say(ends, NULL, answer), say(settles, NULL, answer);
    cudaMalloc((void **)&d, 12 * n);
    cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    um_vector_add(d + 2 * n, d, d + n, n, NULL);
    cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    if (say)
        say(ends, NULL, answer);
    return cudaSuccess;
}
