// kind: race
// at: @cached or @blurred
// Each warp blurs a row of the image: the warps' rows are apart, and their lanes are not.
constexpr int ROWS = 6;

__global__ void blur(const float *image, float *out, size_t pitch, bool bad)
{
    __shared__ float cache[2][34];
    for (int y = blockIdx.x * 2 + threadIdx.y; y < ROWS; y += gridDim.x * 2) {
        float *row = cache[threadIdx.y];
        row[threadIdx.x + 1] = image[y * pitch + threadIdx.x]; // @cached
        if (threadIdx.x < 2)
            row[threadIdx.x * 33] = 0;
        if (!bad)
            __syncwarp();
        const float sum = row[threadIdx.x] + row[threadIdx.x + 1] + row[threadIdx.x + 2]; // @blurred
        __syncwarp();
        out[y * pitch + threadIdx.x] = sum / 3;
    }
}

int main(int argc, char **)
{
    float *image;
    cudaMallocManaged(&image, 2 * ROWS * 32 * sizeof *image);
    for (int i = 0; i < ROWS * 32; i++)
        image[i] = i % 10;
    blur<<<2, dim3(32, 2)>>>(image, image + ROWS * 32, 32, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(image);
    return 0;
}
