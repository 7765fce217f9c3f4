// kind: race
// at: @largest or @divided
// Each row of a two-dimensional block has its largest value, and divides by it before all have compared.
__global__ void normalise(int *image, int width, bool bad)
{
    __shared__ int largest[8];
    if (threadIdx.x == 0)
        largest[threadIdx.y] = 1;
    __syncthreads();
    int *pixel = image + (blockIdx.y * 8 + threadIdx.y) * width + threadIdx.x;
    atomicMax(&largest[threadIdx.y], *pixel); // @largest
    if (!bad)
        __syncthreads();
    *pixel = *pixel * 255 / largest[threadIdx.y]; // @divided
}

int main(int argc, char **)
{
    int *image;
    cudaMallocManaged(&image, 16 * 24 * sizeof *image);
    for (int i = 0; i < 16 * 24; i++)
        image[i] = i % 24 + 1;
    normalise<<<dim3(1, 2), dim3(24, 8)>>>(image, 24, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || image[23] == 255;
    cudaFree(image);
    return !right;
}
