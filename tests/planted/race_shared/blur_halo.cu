// kind: race
// at: @halo or @blurred
// The halo of a tile is loaded by the threads at its edge, here behind the barrier instead of before it.
constexpr int SIDE = 16;

__global__ void blur(const unsigned char *image, unsigned char *out, int width, int height, bool bad)
{
    __shared__ int line[SIDE][SIDE + 2];
    const int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    const int column = threadIdx.x + 1;
    int *mine = line[threadIdx.y];
    mine[column] = image[y * width + x];
    if (bad)
        __syncthreads();
    if (threadIdx.x < 2) {
        const int at = threadIdx.x == 0 ? x - 1 : x - 1 + SIDE;
        mine[threadIdx.x == 0 ? 0 : SIDE + 1] = at < 0 || at >= width ? 0 : image[y * width + at]; // @halo
    }
    if (!bad)
        __syncthreads();
    if (y < height)
        out[y * width + x] = (mine[column - 1] + mine[column] + mine[column + 1]) / 3; // @blurred
}

int main(int argc, char **)
{
    unsigned char *image;
    cudaMallocManaged(&image, 2 * 32 * 32);
    for (int i = 0; i < 2 * 32 * 32; i++)
        image[i] = i % 200;
    blur<<<dim3(2, 2), dim3(SIDE, SIDE)>>>(image, image + 32 * 32, 32, 32, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(image);
    return 0;
}
