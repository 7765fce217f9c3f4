// kind: race
// at: @around or @stored
// An image is sharpened in place: pixels at the border of a block are read by the next block.
__global__ void sharpen(const unsigned char *in, unsigned char *out, size_t pitch, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    const unsigned char *at = in + y * pitch + x;
    const int sum = 5 * at[0] - at[-1] - at[1] - *(at - pitch) - *(at + pitch); // @around
    out[y * pitch + x] = min(max(sum, 0), 255);                                 // @stored
}

int main(int argc, char **)
{
    unsigned char *image, *other, host[24][40];
    size_t pitch;
    for (int i = 0; i < 24 * 40; i++)
        host[i / 40][i % 40] = i * 31;
    cudaMallocPitch(&image, &pitch, 40, 24);
    cudaMallocPitch(&other, &pitch, 40, 24);
    cudaMemcpy2D(image, pitch, host, 40, 40, 24, cudaMemcpyHostToDevice);
    sharpen<<<dim3(3, 2), dim3(16, 16)>>>(image, argc > 1 ? image : other, pitch, 40, 24);
    cudaDeviceSynchronize();
    cudaFree(image);
    cudaFree(other);
    return 0;
}
