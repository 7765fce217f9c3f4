/* hostile: launches kernels on all that the sandboxed call had to give up, and on the libraries' data */
/* cases: 10 */
/* noticed: wrote memory that it cannot reach */
/* noticed: read memory that it cannot reach */
#define _GNU_SOURCE
#include "exercise.h"
#include "inside.h"

enum { NAMED = 5 };

/* What this process keeps free where the GPU process has its state, windows and stacks: some of it. */
static void *given_up(unsigned which)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], flags[8];
    unsigned long start, places[64];
    unsigned count = 0;
    while (maps && fgets(line, sizeof line, maps))
        if (count < 64 && sscanf(line, "%lx-%*x %7s", &start, flags) == 2 && strcmp(flags, "---p") == 0)
            places[count++] = start;
    if (count < HOSTILE_CASES - NAMED)
        puts("MISSED: what was given up");
    return count ? (void *)places[which * count / (HOSTILE_CASES - NAMED)] : NULL;
}

static void *target(void)
{
    void **launches = aim("umsim_launches");
    void *named[NAMED] = {aim("umsim_counters"), aim("umsim_arenas"), launches ? *launches : NULL, &environ,
                          &stdout};
    return HOSTILE_CASE < NAMED ? named[HOSTILE_CASE] : given_up(HOSTILE_CASE - NAMED);
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
