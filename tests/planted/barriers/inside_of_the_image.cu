// kind: barrier passed by or kernel ended or kernel failed
// Only threads inside of the image come to the barrier of their two-dimensional block.
__global__ void flip(unsigned char *image, int width, int height, bool bad)
{
    __shared__ unsigned char tile[8][8];
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const bool inside = x < width && y < height;
    if (inside) {
        tile[threadIdx.y][threadIdx.x] = image[y * width + x];
        if (bad)
            __syncthreads();
    }
    if (!bad)
        __syncthreads();
    const int columns = min(8, width - static_cast<int>(blockIdx.x) * 8);
    if (inside)
        image[y * width + x] = tile[threadIdx.y][columns - 1 - threadIdx.x];
}

int main(int argc, char **)
{
    unsigned char *image;
    cudaMallocManaged(&image, 20 * 10);
    for (int i = 0; i < 200; i++)
        image[i] = i;
    flip<<<dim3(3, 2), dim3(8, 8)>>>(image, 20, 10, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(image);
    return 0;
}
