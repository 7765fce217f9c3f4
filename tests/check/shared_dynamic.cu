// expect: Invalid __shared__ write of size 4 bytes
// expect: by thread (32,0,0) in block (0,0,0)
// expect: is 1 bytes after the nearest dynamic __shared__ memory
// expect: of size 128 bytes
// Less dynamic memory in the launch than the kernel uses.
__global__ void copy(float *x)
{
    extern __shared__ float t[];
    t[threadIdx.x] = threadIdx.x;
    x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    float *x;
    cudaMalloc(&x, 64 * sizeof *x);
    copy<<<1, 64, (argc > 1 ? 32 : 64) * sizeof(float)>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
