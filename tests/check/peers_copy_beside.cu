// expect: Error: Race reported between kernel fill, launched at @first
// expect: and cudaMemcpyPeerAsync at @copied
// expect: It reads what the kernel writes
// expect: Nothing puts the kernel and it in order
// env: UMSIM_PROFILE=h200-nvlink2
// A copy to device 1, in a stream of device 1's, does not wait for the kernel of device 0 that writes what it
// takes.
__global__ void fill(float *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = (float)i;
}

int main(int argc, char **)
{
    const int n = 1 << 16;
    float *x, *y;
    cudaStream_t stream[2];
    for (int device = 1; device >= 0; device--) {
        cudaSetDevice(device);
        cudaMalloc(device ? &y : &x, n * sizeof *x);
        cudaMemset(device ? y : x, 0, n * sizeof *x);
        cudaStreamCreateWithFlags(&stream[device], cudaStreamNonBlocking);
        cudaDeviceSynchronize();
    }
    fill<<<n / 256, 256, 0, stream[0]>>>(x, n); // @first
    if (argc == 1)
        cudaStreamSynchronize(stream[0]);
    cudaMemcpyPeerAsync(y, 1, x, 0, n * sizeof *x, stream[1]); // @copied
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        cudaDeviceSynchronize();
        cudaStreamDestroy(stream[device]);
        cudaFree(device ? y : x);
    }
    return 0;
}
