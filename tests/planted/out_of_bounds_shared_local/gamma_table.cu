// kind: out of bounds
// at: @look
// Samples of 16 bits are looked up in a table of 256 values: they are shifted by one bit too few.
__device__ unsigned char gamma_of[256];

__global__ void prepare()
{
    gamma_of[threadIdx.x] = threadIdx.x;
}

template <int SHIFT> __global__ void correct(const unsigned short *in, unsigned char *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = gamma_of[in[i] >> SHIFT]; // @look
}

int main(int argc, char **)
{
    const int n = 200;
    unsigned short samples[n], *in;
    unsigned char *out;
    for (int i = 0; i < n; i++)
        samples[i] = i * 327;
    cudaMalloc(&in, sizeof samples);
    cudaMalloc(&out, n);
    cudaMemcpy(in, samples, sizeof samples, cudaMemcpyHostToDevice);
    prepare<<<1, 256>>>();
    if (argc > 1)
        correct<7><<<4, 64>>>(in, out, n);
    else
        correct<8><<<4, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
