// expect: Uninitialized __global__ read of size 4 bytes
// expect: in @bad
// expect: by thread (4,0,0) in block (0,0,0)
// expect: allocated by cudaMallocArray at @made
// A texture of an array of which only the first row was written. Without the error all of it is copied in;
// reads beyond its edges are its own business.
__global__ void look(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, 0.5f, threadIdx.x - 2.5f); // @bad
}

int main(int argc, char **)
{
    float host[4] = {1, 2, 3, 4}, *out;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &channels, 1, 4); // @made
    cudaMemcpy2DToArray(array, 0, 0, host, 4, 4, argc > 1 ? 1 : 4, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMalloc(&out, 12 * sizeof *out);
    look<<<1, 12>>>(texture, out);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
    return 0;
}
