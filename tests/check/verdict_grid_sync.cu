// expect: called grid.sync()
// expect: launch it with cudaLaunchCooperativeKernel()
// errors: 1
// What the simulator tells of a kernel that fails counts: a barrier of the grid in an ordinary launch.
#include <cooperative_groups.h>

__global__ void meet(int *x, bool bad)
{
    x[blockIdx.x] = 1;
    if (bad)
        cooperative_groups::this_grid().sync();
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 2 * sizeof *x);
    meet<<<2, 1>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
