// kind: refused call
// at: @call
// More weights are copied than the constant variable has.
__constant__ float weights[9];

__global__ void weigh(float *out)
{
    out[threadIdx.x] = weights[threadIdx.x];
}

int main(int argc, char **)
{
    const float h[25] = {1};
    float *out;
    cudaMalloc(&out, 9 * sizeof *out);
    cudaMemcpyToSymbol(weights, h, (argc > 1 ? 25 : 9) * sizeof(float)); // @call
    weigh<<<1, 9>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
