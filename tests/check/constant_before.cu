// expect: Invalid __global__ read of size 8 bytes
// expect: by thread (0,0,0) in block (2,0,0)
// expect: and is 8 bytes before the nearest __constant__ variable filter
// expect: of size 40 bytes
// __constant__ memory, before its first element.
__constant__ double filter[5];

__global__ void apply(double *out, int shift)
{
    out[blockIdx.x] = filter[2 - (int)blockIdx.x - shift];
}

int main(int argc, char **)
{
    double *out, values[5] = {1, 2, 3, 2, 1};
    cudaMalloc(&out, 3 * sizeof *out);
    cudaMemcpyToSymbol(filter, values, sizeof values);
    apply<<<3, 1>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
