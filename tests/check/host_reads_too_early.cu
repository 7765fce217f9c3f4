// expect: Error: Host read of a buffer while a copy writes it
// expect: at main in @read
// expect: Access at 0x7b0000000028 is 40 bytes inside the 400 bytes that are copied
// expect: by cudaMemcpyAsync at @copy
// expect: allocated by cudaHostAlloc at @made
// expect: cudaStreamSynchronize before the host uses the buffer
// The result is looked at before anybody has waited for its copy.
#include <cstdio>

__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

int main(int argc, char **)
{
    int *x, *result;
    cudaMalloc(&x, 100 * sizeof *x);
    cudaMallocHost(&result, 100 * sizeof *result); // @made
    fill<<<1, 100>>>(x);
    cudaMemcpyAsync(result, x, 100 * sizeof *x, cudaMemcpyDeviceToHost, 0); // @copy
    if (argc == 1)
        cudaStreamSynchronize(0);
    printf("%d\n", result[10]); // @read
    cudaDeviceSynchronize();
    cudaFreeHost(result);
    cudaFree(x);
    return 0;
}
