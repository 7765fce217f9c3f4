// kind: out of bounds
// at: @quad
// Four floats are read at once, and their number is no multiple of four.
__global__ void scale(float *x, int n, float by, bool careful)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < n || (!careful && 4 * i < n)) {
        float4 v = ((const float4 *)x)[i]; // @quad
        v.x *= by;
        v.y *= by;
        v.z *= by;
        v.w *= by;
        ((float4 *)x)[i] = v;
    } else {
        for (int k = 4 * i; k < n; k++)
            x[k] *= by;
    }
}

int main(int argc, char **)
{
    const int n = 102;
    float *x;
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    scale<<<1, 32>>>(x, n, 2.0f, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
