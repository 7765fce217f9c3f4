// kind: leak
// at: @array
// A texture object is destroyed, and the array that it reads from is not.
__global__ void look(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 0.5f);
}

int main(int argc, char **)
{
    float zeros[64] = {}, *out;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 16, 4); // @array
    cudaMemcpy2DToArray(array, 0, 0, zeros, 64, 64, 4, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMalloc(&out, 16 * sizeof *out);
    look<<<1, 16>>>(texture, out);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    if (argc == 1)
        cudaFreeArray(array);
    cudaFree(out);
    return 0;
}
