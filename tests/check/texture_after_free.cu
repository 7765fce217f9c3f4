// expect: Invalid __global__ read of size 4 bytes
// expect: in @bad
// expect: by thread (1,0,0) in block (0,0,0)
// expect: inside a freed allocation
// expect: allocated by cudaMalloc at @made
// expect: freed by cudaFree at @freed
// A fetch through a texture whose memory is gone. Without the error, fetches beyond the memory's end give 0,
// and are none.
__global__ void look(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, (int)threadIdx.x - 1); // @bad
}

int main(int argc, char **)
{
    float *memory, *out;
    cudaMalloc(&memory, 512 * sizeof(float)); // @made
    cudaMemset(memory, 0, 512 * sizeof(float));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 512 * sizeof(float);
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMalloc(&out, 1024 * sizeof *out);
    if (argc > 1)
        cudaFree(memory); // @freed
    look<<<1, 1024>>>(texture, out);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    if (argc == 1)
        cudaFree(memory);
    cudaFree(out);
    return 0;
}
