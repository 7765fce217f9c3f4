// kind: out of bounds
// at: @pixel
// An image of three bytes a pixel is read as if it had four.
__global__ void to_grey(const unsigned char *rgb, unsigned char *grey, int pixels, int bytes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    const unsigned char *pixel = rgb + (size_t)i * bytes;
    grey[i] = (pixel[0] * 77 + pixel[1] * 150 + pixel[2] * 29) >> 8; // @pixel
}

int main(int argc, char **)
{
    const int pixels = 30 * 20;
    unsigned char *rgb, *grey;
    cudaMalloc(&rgb, pixels * 3);
    cudaMalloc(&grey, pixels);
    cudaMemset(rgb, 128, pixels * 3);
    to_grey<<<(pixels + 127) / 128, 128>>>(rgb, grey, pixels, argc > 1 ? 4 : 3);
    cudaDeviceSynchronize();
    cudaFree(rgb);
    cudaFree(grey);
    return 0;
}
