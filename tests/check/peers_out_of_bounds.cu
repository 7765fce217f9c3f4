// expect: Invalid __global__ read of size 4 bytes
// expect: on device 1
// expect: allocated by cudaMalloc at @made
// env: UMSIM_PROFILE=h200-nvlink2
// A kernel of device 1 reads beyond an array of device 0, which it reaches.
__global__ void last(const int *x, int *out, int n)
{
    *out = x[n];
}

int main(int argc, char **)
{
    const int n = 1000;
    int *x, *out;
    cudaMalloc(&x, n * sizeof *x); // @made
    cudaMemset(x, 0, n * sizeof *x);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaMalloc(&out, sizeof *out);
    last<<<1, 1>>>(x, out, n - (argc == 1));
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(x);
    return 0;
}
