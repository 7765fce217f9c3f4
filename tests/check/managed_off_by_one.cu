// expect: Invalid __global__ read of size 4 bytes
// expect: by thread (99,0,0) in block (0,0,0)
// expect: and is 1 bytes after the nearest allocation at 0x7c0000000000 of size 400 bytes
// expect: allocated by cudaMallocManaged at @made
// Managed memory: differences of neighbours, one too many.
__global__ void differences(const float *x, float *out, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = x[i + 1] - x[i];
}

int main(int argc, char **)
{
    float *x, *out;
    cudaMallocManaged(&x, 100 * sizeof *x); // @made
    cudaMallocManaged(&out, 100 * sizeof *out);
    for (int i = 0; i < 100; i++)
        x[i] = i;
    differences<<<1, 128>>>(x, out, argc > 1 ? 100 : 99);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(x);
    return 0;
}
