// expect: Uninitialized __global__ read of size 4 bytes
// expect: by thread (18,0,0) in block (1,0,0)
// expect: and is 200 bytes inside the allocation at 0x7a0000000000 of size 256 bytes
// expect: and 13 more like it
// The copy's size counts elements where bytes are meant.
__global__ void twice(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}

int main(int argc, char **)
{
    int *in, *out, host[64] = {0};
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, argc > 1 ? 200 : sizeof host, cudaMemcpyHostToDevice);
    twice<<<2, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
    return 0;
}
