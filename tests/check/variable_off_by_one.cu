// expect: Invalid __global__ read of size 4 bytes
// expect: in @bad
// expect: by thread (16,0,0) in block (0,0,0)
// expect: and is 1 bytes after the nearest __device__ variable weights
// expect: of size 64 bytes
// A __device__ array, next to another one.
__device__ float weights[16];
__device__ float biases[16];

__global__ void add(float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = weights[threadIdx.x]; // @bad
}

int main(int argc, char **)
{
    float *out, zeros[16] = {0};
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemcpyToSymbol(biases, zeros, sizeof zeros);
    add<<<1, 32>>>(out, argc > 1 ? 17 : 16);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
