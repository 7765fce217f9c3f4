// expect: Uninitialized __global__ read of size 4 bytes
// expect: in @bad
// expect: by thread (0,0,0) in block (0,0,0)
// expect: reads what nobody has written
// expect: and is 0 bytes inside the allocation at 0x7a0000000000 of size 128 bytes
// expect: allocated by cudaMalloc at @made
// expect: and 31 more like it
// A sum into memory that was never set to 0.
__global__ void add(float *sum)
{
    sum[threadIdx.x] += 1; // @bad
}

int main(int argc, char **)
{
    float *sum;
    cudaMalloc(&sum, 32 * sizeof *sum); // @made
    if (argc == 1)
        cudaMemset(sum, 0, 32 * sizeof *sum);
    add<<<1, 32>>>(sum);
    cudaDeviceSynchronize();
    cudaFree(sum);
    return 0;
}
