// expect: Error: Race reported between Write access at scale(float*, int)
// expect: and Read access at scale(float*, int)
// expect: in kernels of devices 0 and 1, launched at @each and @each
// expect: Error: Race reported between Write access at scale(float*, int)
// expect: and Write access at scale(float*, int)
// errors: 2
// env: UMSIM_PROFILE=h200-nvlink2
// The host waits after each launch, but for the device that is current then, which is the other one.
__global__ void scale(float *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = 2 * x[i] + 1;
}

int main(int argc, char **)
{
    const int n = 1000;
    float *x;
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaSetDevice(0);
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    cudaDeviceSynchronize();
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        scale<<<(n + 255) / 256, 256>>>(x, n); // @each
        if (argc > 1)
            cudaSetDevice(1 - device);
        cudaDeviceSynchronize();
    }
    cudaSetDevice(1);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
