// expect: Error: Race reported between Read access at sum(float const*, float*, int)
// expect: by thread (0,0,0) in block (0,0,0), on device 1
// expect: and Write access at fill(float*, int)
// expect: in kernels of devices 1 and 0, launched at @second and @first
// expect: each device's default stream and cudaDeviceSynchronize() are its own
// env: UMSIM_PROFILE=h200-nvlink2
// A kernel of device 1 reads what one of device 0 writes. Both are in default streams, but each device has
// its own.
__global__ void fill(float *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = (float)i;
}

__global__ void sum(const float *x, float *out, int n)
{
    float all = 0;
    for (int i = 0; i < n; i++)
        all += x[i];
    *out = all;
}

int main(int argc, char **)
{
    const int n = 1000;
    float *x, *out;
    cudaEvent_t filled;
    cudaSetDevice(1);
    cudaMalloc(&out, sizeof *out);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaSetDevice(0);
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    cudaEventCreate(&filled);
    cudaDeviceSynchronize();
    fill<<<(n + 255) / 256, 256>>>(x, n); // @first
    cudaEventRecord(filled);
    cudaSetDevice(1);
    if (argc == 1)
        cudaStreamWaitEvent(0, filled, 0);
    sum<<<1, 1>>>(x, out, n); // @second
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaEventDestroy(filled);
    cudaFree(x);
    return 0;
}
