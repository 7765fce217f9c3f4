/* hostile: launches kernels on all that the cell had to give up, and on the libraries' data */
#define _GNU_SOURCE
#include "exercise.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static float *device;

static void reach(void *p)
{
    cudaMalloc((void **)&device, 4096);
    if (um_vector_add(p, device, device, 16, NULL) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess)
        printf("HARM: a kernel wrote to %p\n", p);
    if (um_vector_add(device, p, p, 16, NULL) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess)
        printf("HARM: a kernel read %p\n", p);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const char *names[] = {"umsim_counters", "umsim_arenas", "umsim_shared_state", "environ", "stdout"};
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], flags[8];
    unsigned long start, places[64];
    unsigned count = 0;
    while (maps && fgets(line, sizeof line, maps))
        if (count < 64 && sscanf(line, "%lx-%*x %7s", &start, flags) == 2 && strcmp(flags, "---p") == 0)
            places[count++] = start;
    if (n % 3 == 0)
        reach(dlsym(RTLD_DEFAULT, names[n % 5]));
    else if (count)
        reach((void *)places[n % count]);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
