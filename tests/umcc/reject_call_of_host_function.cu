// umcc: 11:23: calling the __host__ function "host" from device code is not allowed
/* A kernel that calls a function of the host. */
#include "check.h"

static int host(int a)
{
    return a + 1;
}
static __global__ void k(int *p)
{
    p[threadIdx.x] += host(1);
}
int main()
{
    k<<<1, 1>>>(nullptr);
    return host(finish());
}
