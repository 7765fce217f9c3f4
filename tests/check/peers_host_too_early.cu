// expect: Error: Host read of a buffer while a copy writes it
// expect: by cudaMemcpyAsync at @copied
// env: UMSIM_PROFILE=h200-nvlink2
// The host waits for device 0, and reads what device 1's copy brings.
#include <stdio.h>

int main(int argc, char **)
{
    const int n = 1 << 20;
    int *host[2], *x[2];
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        cudaMalloc(&x[device], n * sizeof *x[0]);
        cudaMallocHost(&host[device], n * sizeof *x[0]);
        cudaMemset(x[device], 0, n * sizeof *x[0]);
        cudaDeviceSynchronize();
        cudaMemcpyAsync(host[device], x[device], n * sizeof *x[0], cudaMemcpyDeviceToHost, 0); // @copied
    }
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    if (argc == 1)
        cudaDeviceSynchronize();
    if (host[1][n - 1])
        puts("not 0");
    cudaDeviceSynchronize();
    for (int device = 0; device < 2; device++) {
        cudaFreeHost(host[device]);
        cudaFree(x[device]);
    }
    return 0;
}
