// kind: refused call
// A cooperative grid has to fit onto the device at once.
#include <cooperative_groups.h>

__global__ void count(int *sum)
{
    atomicAdd(sum, 1);
    cooperative_groups::this_grid().sync();
}

int main(int argc, char **)
{
    int *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    void *arguments[] = {&sum};
    const dim3 blocks(argc > 1 ? 100000 : 4);
    cudaLaunchCooperativeKernel(reinterpret_cast<void *>(count), blocks, dim3(64), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(sum);
    return 0;
}
