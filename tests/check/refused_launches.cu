// errors: 9
// expect: Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaLaunchKernel
// expect: at main in @threads
// expect: a block of (64,64,1) has 4096 threads, and this device takes at most 1024
// expect: at main in @none
// expect: the grid is (0,1,1), and each of the three has to be at least 1
// expect: n / threads rounds down
// expect: at main in @empty
// expect: the block is (0,1,1)
// expect: at main in @rows
// expect: grid.y is 70000, and this device takes at most 65535
// expect: at main in @deep
// expect: block.z is 128, and this device takes at most 64
// expect: at main in @shared
// expect: 65536 bytes of dynamic shared memory are asked for, and 49152 is the most unless
// expect: cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) allows up to 232448
// expect: at main in @much
// expect: 300000 bytes of dynamic shared memory are asked for, and 232448 is the most that this device has
// expect: Program hit cudaErrorInvalidResourceHandle (error 400) on CUDA API call to cudaLaunchKernel
// expect: at main in @stream
// expect: the stream is gone: cudaStreamDestroy has destroyed it at @gone
// expect: Program hit cudaErrorCooperativeLaunchTooLarge (error 720)
// expect: at main in @cooperative
// expect: a cooperative launch of (1000000,1,1) blocks is more than the device holds at once
// expect: cudaLaunchKernel returned cudaErrorInvalidValue at @none again, 2 times
// Grids, blocks, shared memory and streams that a launch cannot have.
__global__ void fill(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.y == 0 && threadIdx.y == 0)
        x[i] = i;
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    int *x, n = 64;
    cudaStream_t stream;
    cudaMalloc(&x, n * sizeof *x);
    cudaStreamCreate(&stream);
    const dim3 block(bad ? 64 : 16, bad ? 64 : 16);
    fill<<<4, block>>>(x, n); // @threads
    for (int i = 0; i < 3; i++)
        fill<<<bad ? n / 256 : (n + 255) / 256, 256>>>(x, n); // @none
    fill<<<1, bad ? 0 : 64>>>(x, n);                          // @empty
    fill<<<dim3(1, bad ? 70000 : 7), 64>>>(x, n);             // @rows
    fill<<<1, dim3(1, 1, bad ? 128 : 64)>>>(x, n);            // @deep
    fill<<<1, 64, bad ? 65536 : 1024>>>(x, n);                // @shared
    fill<<<1, 64, bad ? 300000 : 1024>>>(x, n);               // @much
    if (bad)
        cudaStreamDestroy(stream);    // @gone
    fill<<<1, 64, 0, stream>>>(x, n); // @stream
    void *arguments[] = {&x, &n};
    cudaLaunchCooperativeKernel((void *)fill, dim3(bad ? 1000000 : 1), dim3(64), arguments); // @cooperative
    cudaDeviceSynchronize();
    if (!bad)
        cudaStreamDestroy(stream);
    cudaFree(x);
    return 0;
}
