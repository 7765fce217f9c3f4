// kind: race
// at: @counted
// A colour histogram over a two-dimensional grid: every block counts in the same bins.
struct Pixel {
    unsigned char red, green, blue;
};

__global__ void histogram(const Pixel *image, int width, int height, unsigned (*bins)[3], bool bad)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const Pixel pixel = image[y * width + x];
    if (bad)
        bins[pixel.red / 32][0]++; // @counted
    else
        atomicAdd(&bins[pixel.red / 32][0], 1);
    atomicAdd(&bins[pixel.green / 32][1], 1);
    atomicAdd(&bins[pixel.blue / 32][2], 1);
}

int main(int argc, char **)
{
    Pixel *image;
    unsigned(*bins)[3];
    cudaMallocManaged(&image, 30 * 20 * sizeof *image);
    cudaMalloc(&bins, 8 * sizeof *bins);
    cudaMemset(bins, 0, 8 * sizeof *bins);
    for (int i = 0; i < 30 * 20; i++)
        image[i] = {static_cast<unsigned char>(i), static_cast<unsigned char>(i / 3), 7};
    histogram<<<dim3(4, 3), dim3(8, 8)>>>(image, 30, 20, bins, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(image);
    cudaFree(bins);
    return 0;
}
