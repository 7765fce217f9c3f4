// kind: out of bounds or no texture
// at: @fetch
// The memory that a texture object reads from is freed before the kernel.
__global__ void fetch(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, (int)threadIdx.x); // @fetch
}

int main(int argc, char **)
{
    float *x, *out;
    cudaMalloc(&x, 128);
    cudaMalloc(&out, 128);
    cudaMemset(x, 0, 128);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = x;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 128;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    if (argc > 1)
        cudaFree(x);
    fetch<<<1, 32>>>(texture, out);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    if (argc == 1)
        cudaFree(x);
    cudaFree(out);
    return 0;
}
