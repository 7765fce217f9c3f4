// kind: misaligned
// at: @pixel
// A bitmap file's pixels of four bytes begin behind a header of 54 bytes, which is no multiple of four.
__global__ void darken(unsigned char *file, int header, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned *pixels = (unsigned *)(file + header);
    if (x < width && y < height)
        pixels[y * width + x] &= 0x7f7f7f7f; // @pixel
}

int main(int argc, char **)
{
    const int width = 20, height = 10, bytes = 56 + width * height * 4;
    unsigned char *file;
    cudaMalloc(&file, bytes);
    cudaMemset(file, 255, bytes);
    darken<<<dim3(2, 2), dim3(16, 8)>>>(file, argc > 1 ? 54 : 56, width, height);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(file);
    return 0;
}
