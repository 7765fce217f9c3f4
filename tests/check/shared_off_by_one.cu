// expect: Invalid __shared__ write of size 4 bytes
// expect: in @bad
// expect: by thread (63,0,0) in block (1,0,0)
// expect: is 1 bytes after the nearest __shared__ variable
// expect: of size 256 bytes
// A block's tile with a halo that it has no room for, in the last block only.
__global__ void tile(int *out, int halo)
{
    __shared__ int t[64];
    int i = threadIdx.x + (blockIdx.x == 1 ? halo : 0);
    t[i] = i; // @bad
    out[blockIdx.x * 64 + threadIdx.x] = i;
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, 128 * sizeof *out);
    tile<<<2, 64>>>(out, argc > 1 ? 1 : 0);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
