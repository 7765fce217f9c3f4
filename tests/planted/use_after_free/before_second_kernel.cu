// kind: out of bounds
// at: @scale
// A buffer is freed after the first of the two kernels that need it.
__global__ void fill(float *x)
{
    x[threadIdx.x] = threadIdx.x;
}

__global__ void scale(const float *x, float *out)
{
    out[threadIdx.x] = 2 * x[threadIdx.x]; // @scale
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    float *x, *out;
    cudaMalloc(&x, 256);
    cudaMalloc(&out, 256);
    fill<<<1, 64>>>(x);
    if (bad)
        cudaFree(x);
    scale<<<1, 64>>>(x, out);
    cudaDeviceSynchronize();
    if (!bad)
        cudaFree(x);
    cudaFree(out);
    return 0;
}
