// kind: misaligned
// at: @quad
// Four floats are read at once, from the second element of an array on.
__global__ void norm(const float *x, float *out, int first)
{
    const float4 v = ((const float4 *)(x + first))[threadIdx.x]; // @quad
    out[threadIdx.x] = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
}

int main(int argc, char **)
{
    float *x, *out;
    cudaMalloc(&x, 132 * sizeof *x);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(x, 0, 132 * sizeof *x);
    norm<<<1, 32>>>(x, out, argc > 1 ? 1 : 4);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(x);
    cudaFree(out);
    return 0;
}
