/* hostile: asks the simulator's own functions and figures what a copy costs */
#define _GNU_SOURCE
#include "exercise.h"

#include <dlfcn.h>
#include <stdio.h>

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    static const char *const names[] = {"umsim_machine", "umsim_cost_copy", "umsim_cost_allocation"};
    (void)bytes, (void)copies, (void)machine;
    for (int i = 0; i < 3; i++)
        if (dlsym(RTLD_DEFAULT, names[i]))
            printf("HARM: %s\n", names[i]);
    return false;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    (void)y, (void)x, (void)n, (void)chunk;
    return cudaErrorNotSupported;
}
