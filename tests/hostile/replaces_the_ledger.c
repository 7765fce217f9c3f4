/* hostile: its own functions of the simulator's insides; build-error */
/* noticed: which is a name of the course */
#include "exercise.h"

#include <stdint.h>

int umsim_is_grading(void)
{
    return 0;
}

void umsim_ledger_call(const char *name)
{
    (void)name;
}

uint64_t umsim_keyed(const volatile void *place, const void *frame, int kind, int use, uint64_t bits)
{
    (void)place, (void)frame, (void)kind, (void)use;
    return bits;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
