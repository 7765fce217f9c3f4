// kind: race
// at: @in or @out
// A warp transposes patches of 4 x 8 in __shared__ memory, one after the other.
struct Patch {
    unsigned char at[4][8];
};

__device__ void transpose(Patch &patch, unsigned char *image, int lane, bool bad)
{
    patch.at[lane / 8][lane % 8] = image[lane]; // @in
    if (!bad)
        __syncwarp();
    const unsigned char turned = patch.at[lane % 4][lane / 4]; // @out
    __syncwarp();
    image[lane] = turned;
}

__global__ void transpose_all(unsigned char *image, int patches, bool bad)
{
    __shared__ Patch patch;
    for (int i = blockIdx.x; i < patches; i += gridDim.x)
        transpose(patch, image + i * 32, threadIdx.x, bad);
}

int main(int argc, char **)
{
    unsigned char *image;
    cudaMallocManaged(&image, 8 * 32);
    for (int i = 0; i < 8 * 32; i++)
        image[i] = i;
    transpose_all<<<2, 32>>>(image, 8, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || image[1] == 8;
    cudaFree(image);
    return !right;
}
