// expect: Invalid texture read
// expect: in @bad
// expect: by thread (0,0,0) in block (0,0,0)
// expect: does not exist: it was destroyed, or never created
// expect: and 31 more like it
// A read through a texture object that was destroyed: no error to a GPU.
__global__ void look(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, (int)threadIdx.x); // @bad
}

int main(int argc, char **)
{
    float *memory, *out;
    cudaMalloc(&memory, 32 * sizeof(float));
    cudaMemset(memory, 0, 32 * sizeof(float));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMalloc(&out, 32 * sizeof *out);
    if (argc > 1)
        cudaDestroyTextureObject(texture);
    look<<<1, 32>>>(texture, out);
    cudaDeviceSynchronize();
    if (argc == 1)
        cudaDestroyTextureObject(texture);
    cudaFree(memory);
    cudaFree(out);
    return 0;
}
