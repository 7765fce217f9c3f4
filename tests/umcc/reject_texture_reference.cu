// umcc: 3:1: texture references are gone since CUDA 12: make a texture object (cudaCreateTextureObject)
/* What programs had until CUDA 11. */
texture<float, 2, cudaReadModeElementType> image;

__global__ void k(float *out)
{
    out[threadIdx.x] = tex2D(image, threadIdx.x + 0.5f, 0.5f);
}

int main()
{
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray *array;
    cudaMallocArray(&array, &channels, 32, 1);
    cudaBindTextureToArray(image, array, channels);
    k<<<1, 32>>>(nullptr);
    return 0;
}
