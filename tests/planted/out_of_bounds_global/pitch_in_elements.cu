// kind: out of bounds
// at: @set
// The pitch of cudaMallocPitch counts bytes; added to a float pointer it counts four times as many.
__global__ void fill(float *image, size_t pitch, int width, int height, bool bytes)
{
    const int y = blockIdx.x;
    float *row = bytes ? (float *)((char *)image + y * pitch) : image + y * pitch;
    for (int x = threadIdx.x; x < width && y < height; x += blockDim.x)
        row[x] = x + y; // @set
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    const int width = 50, height = 20;
    float *image;
    size_t pitch;
    cudaMallocPitch((void **)&image, &pitch, width * sizeof(float), height);
    fill<<<height, 32>>>(image, pitch, width, height, !bad);
    cudaDeviceSynchronize();
    cudaFree(image);
    return 0;
}
