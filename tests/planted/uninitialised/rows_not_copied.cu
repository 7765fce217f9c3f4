// kind: uninitialised
// at: @pixel
// cudaMemcpy2D is told a row less than the image has.
__global__ void invert(unsigned char *image, size_t pitch, int width)
{
    image[threadIdx.y * pitch + threadIdx.x] ^= 255; // @pixel
}

int main(int argc, char **)
{
    const int width = 24, height = 16;
    unsigned char h[width * height] = {}, *image;
    size_t pitch;
    cudaMallocPitch((void **)&image, &pitch, width, height);
    cudaMemcpy2D(image, pitch, h, width, width, argc > 1 ? height - 1 : height, cudaMemcpyHostToDevice);
    invert<<<1, dim3(width, height)>>>(image, pitch, width);
    cudaDeviceSynchronize();
    cudaFree(image);
    return 0;
}
