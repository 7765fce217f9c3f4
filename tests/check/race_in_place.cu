// expect: Error: Race reported between Read access at shift(float*, float*)
// expect: in @bad
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and Write access at shift(float*, float*)
// expect: by thread (1,0,0) in block (0,0,0)
// expect: of 4 bytes of __global__ memory at 0x7a0000000004
// expect: allocated by cudaMalloc at @made
// Each element takes its neighbour's value, in place.
__global__ void shift(float *in, float *out)
{
    int i = threadIdx.x;
    if (i < 31)
        out[i] = in[i + 1]; // @bad
}

int main(int argc, char **)
{
    float *x, *y;
    cudaMalloc(&x, 32 * sizeof *x); // @made
    cudaMalloc(&y, 32 * sizeof *y);
    cudaMemset(x, 0, 32 * sizeof *x);
    shift<<<1, 32>>>(x, argc > 1 ? x : y);
    cudaDeviceSynchronize();
    cudaFree(y);
    cudaFree(x);
    return 0;
}
