// kind: out of bounds
// at: @read
// A blur clamps its neighbours to the width instead of to the last column: the last row reads behind the
// image.
__device__ int clamped(int i, int last)
{
    return min(max(i, 0), last);
}

__global__ void blur(const unsigned char *in, unsigned char *out, int w, int h, int last)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int sum = 0;
    for (int dx = -1; dx <= 1; dx++)
        sum += in[y * w + clamped(x + dx, last)]; // @read
    out[y * w + x] = sum / 3;
}

int main(int argc, char **)
{
    const int w = 40, h = 24;
    const bool bad = argc > 1;
    unsigned char *in, *out;
    cudaMalloc(&in, w * h);
    cudaMalloc(&out, w * h);
    cudaMemset(in, 7, w * h);
    blur<<<dim3(3, 3), dim3(16, 8)>>>(in, out, w, h, bad ? w : w - 1);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
