// flags: -rdc=true
/*
 * Kernels that kernels launch, and that fail. `prog N` runs case N, which has to fail with this text in its
 * message (run.sh):
 *
 * case 0: kernel child wrote memory that it cannot reach
 * case 1: kernel parent launched a kernel with a pointer to a local variable: a child cannot reach its
 * case 1: parent's
 * case 2: kernel in_shared launched a kernel with a pointer to __shared__ memory: a child cannot reach its
 * case 2: parent's
 * case 3: kernel turn was stopped: it took more than UMSIM_KERNEL_TIMEOUT allows
 */
#include "check.h"

#include <cstdlib>

__global__ void child(int *p)
{
    p[threadIdx.x] = 1;
}
__global__ void parent(int *p, bool own)
{
    int local = 0;
    child<<<1, 1>>>(own ? &local : p);
}
__global__ void in_shared()
{
    __shared__ int shared[32];
    child<<<1, 1>>>(shared);
}
__global__ void turn(int *p)
{
    *p += 1;
    turn<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
}

int main(int, char **argument)
{
    const int number = atoi(argument[1]);
    static int of_the_host;
    int *p;
    CHECK(setenv("UMSIM_KERNEL_TIMEOUT", "0.3", 1) == 0);
    CHECK(cudaMalloc(&p, sizeof *p) == cudaSuccess);
    if (number == 3)
        turn<<<1, 1>>>(p);
    else if (number == 2)
        in_shared<<<1, 1>>>();
    else
        parent<<<1, 1>>>(&of_the_host, number == 1);
    CHECK(cudaDeviceSynchronize() == (number == 3 ? cudaErrorLaunchTimeout : cudaErrorIllegalAddress));
    return finish();
}
