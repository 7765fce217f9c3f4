/* hostile: launches kernels on all that its process has mapped outside of CUDA's memory, and on addresses
 * near it */
/* cases: 10 */
/* noticed: wrote memory that it cannot reach */
/* noticed: read memory that it cannot reach */
#define _GNU_SOURCE
#include "exercise.h"
#include "inside.h"

/* Places of this process, at which the process of the kernels may have something of its own: libraries are
 * the same files there. */
static void *target(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], flags[8];
    unsigned long start, places[256];
    unsigned count = 0;
    void *named[] = {aim("umsim_builtins"), &environ, &stdout};
    while (maps && fgets(line, sizeof line, maps))
        if (count < 256 && sscanf(line, "%lx-%*x %7s", &start, flags) == 2 && flags[3] == 'p' &&
            start >> 40 != 0x7a)
            places[count++] = start;
    if (maps)
        fclose(maps);
    if (count < HOSTILE_CASES)
        puts("MISSED: mappings");
    return HOSTILE_CASE < 3 ? named[HOSTILE_CASE] : (void *)places[(HOSTILE_CASE - 3) * count / 7];
}

/* The first that a kernel does wrong is its process's last: so one writes, another reads. */
static void reach(bool writes)
{
    float *device = NULL, *p = target();
    cudaMalloc((void **)&device, 4096);
    if ((writes ? um_vector_add(p, device, device, 16, NULL) : um_vector_add(device, p, p, 16, NULL)) ==
            cudaSuccess &&
        cudaDeviceSynchronize() == cudaSuccess)
        printf("HARM: a kernel %s %p\n", writes ? "wrote to" : "read", (void *)p);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    reach(true);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    reach(false);
    return cudaSuccess;
}
