// expect: Uninitialized __shared__ read of size 4 bytes
// expect: in @bad
// expect: by thread (31,0,0) in block (0,0,0)
// expect: and is 128 bytes inside a __shared__ variable of size 132 bytes
// The halo of a tile is not loaded.
__global__ void smooth(float *x, int halo)
{
    __shared__ float t[33];
    t[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0 && halo)
        t[32] = 0;
    __syncthreads();
    x[threadIdx.x] = t[threadIdx.x] + t[threadIdx.x + 1]; // @bad
}

int main(int argc, char **)
{
    float *x;
    cudaMalloc(&x, 32 * sizeof *x);
    smooth<<<1, 32>>>(x, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
