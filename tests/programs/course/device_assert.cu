// An assertion in a kernel that fails: the error comes with the next wait, and stays. The one that holds
// changes nothing.
#include <cassert>
#include <cstdio>

__global__ void testKernel(int N)
{
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    assert(gtid < N);
}

int main()
{
    const int Nblocks = 2, Nthreads = 32;
    dim3 dimGrid(Nblocks), dimBlock(Nthreads);

    testKernel<<<dimGrid, dimBlock>>>(64);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("an assertion that holds: %s\n", cudaGetErrorString(error));
        return 1;
    }

    printf("-- Begin assert output\n\n");
    fflush(stdout);
    testKernel<<<dimGrid, dimBlock>>>(60);
    error = cudaDeviceSynchronize();
    printf("\n-- End assert output\n\n");

    if (error == cudaErrorAssert)
        printf("Device assert failed as expected, CUDA error message is: %s\n", cudaGetErrorString(error));
    bool stays = cudaDeviceSynchronize() == cudaErrorAssert;
    printf("Test %s\n", error == cudaErrorAssert && stays ? "PASSED" : "FAILED");
    return error == cudaErrorAssert && stays ? 0 : 1;
}
