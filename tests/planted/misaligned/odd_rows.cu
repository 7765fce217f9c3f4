// kind: misaligned
// at: @pair
// An image's rows of 15 floats lie side by side; in odd rows no two of them can be read at once.
__global__ void halve(const float *in, float *out, int width, int pitch)
{
    const float *row = in + blockIdx.y * pitch;
    for (int x = threadIdx.x; x < width / 2; x += blockDim.x) {
        const float2 two = *(const float2 *)(row + 2 * x); // @pair
        out[blockIdx.y * (width / 2) + x] = (two.x + two.y) / 2;
    }
}

int main(int argc, char **)
{
    const int width = 15, height = 6, pitch = argc > 1 ? 15 : 16;
    float *in, *out;
    cudaMalloc(&in, pitch * height * sizeof *in);
    cudaMalloc(&out, width / 2 * height * sizeof *out);
    cudaMemset(in, 0, pitch * height * sizeof *in);
    halve<<<dim3(1, height), 4>>>(in, out, width, pitch);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(in);
    cudaFree(out);
    return 0;
}
