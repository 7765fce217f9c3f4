// expect: Error: Race reported between Read access at neighbours(int*, int*, bool)
// expect: in block (0,0,0)
// expect: and Write access at neighbours(int*, int*, bool)
// expect: by thread (0,0,0) in block (1,0,0)
// expect: of 4 bytes of __global__ memory at 0x7a0000000080
// Blocks of a cooperative launch that read their neighbours' results without waiting for the grid.
#include <cooperative_groups.h>

__global__ void neighbours(int *x, int *y, bool wait)
{
    __shared__ int shift;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    shift = 1;
    x[i] = i;
    if (wait)
        cooperative_groups::this_grid().sync();
    y[i] = x[(i + 32 * shift) % 128];
}

int main(int argc, char **)
{
    int *x, *y;
    bool wait = argc == 1;
    cudaMalloc(&x, 128 * sizeof *x);
    cudaMalloc(&y, 128 * sizeof *y);
    cudaMemset(x, 0, 128 * sizeof *x);
    void *arguments[] = {&x, &y, &wait};
    cudaLaunchCooperativeKernel(neighbours, dim3(4), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(y);
    cudaFree(x);
    return 0;
}
