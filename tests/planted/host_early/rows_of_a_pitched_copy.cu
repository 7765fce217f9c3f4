// kind: buffer of a copy
// at: @saved
// The rows of a picture come back by an asynchronous two-dimensional copy, and are saved at once.
__global__ void paint(unsigned char *image, size_t pitch)
{
    image[threadIdx.y * pitch + threadIdx.x] = threadIdx.x ^ threadIdx.y;
}

int main(int argc, char **)
{
    unsigned char *image, *host, saved[16];
    size_t pitch;
    cudaMallocPitch(&image, &pitch, 16, 16);
    cudaMallocHost(&host, 256);
    for (int i = 0; i < 256; i++)
        host[i] = 0;
    paint<<<1, dim3(16, 16)>>>(image, pitch);
    cudaMemcpy2DAsync(host, 16, image, pitch, 16, 16, cudaMemcpyDeviceToHost);
    if (argc == 1)
        cudaDeviceSynchronize();
    for (int i = 0; i < 16; i++)
        saved[i] = host[i * 17 - i]; // @saved
    cudaDeviceSynchronize();
    cudaFree(image);
    cudaFreeHost(host);
    return argc == 1 && saved[2] != 2;
}
