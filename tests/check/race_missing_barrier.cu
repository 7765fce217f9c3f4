// expect: Error: Race reported between Read access at reverse(int*, bool)
// expect: in @read
// expect: by thread (31,0,0) in block (0,0,0)
// expect: and Write access at reverse(int*, bool)
// expect: in @write
// expect: by thread (32,0,0) in block (0,0,0)
// expect: of 4 bytes of __shared__ memory at 0x80
// A block that reverses its tile without a barrier between writing and reading.
__global__ void reverse(int *x, bool barrier)
{
    __shared__ int t[64];
    t[threadIdx.x] = x[threadIdx.x]; // @write
    if (barrier)
        __syncthreads();
    x[threadIdx.x] = t[63 - threadIdx.x]; // @read
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64 * sizeof *x);
    reverse<<<1, 64>>>(x, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
