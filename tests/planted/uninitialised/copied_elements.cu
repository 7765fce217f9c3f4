// kind: uninitialised
// at: @read
// The copy to the device counts elements instead of bytes: three quarters of the data stay behind.
__global__ void scale(const float *in, float *out, float by)
{
    out[threadIdx.x] = in[threadIdx.x] * by; // @read
}

int main(int argc, char **)
{
    float values[64] = {}, *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, argc > 1 ? 64 : 64 * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<1, 64>>>(in, out, 2);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
