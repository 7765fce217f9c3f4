// kind: out of bounds
// at: @add
// A reduction in shared memory begins with a step of the whole block instead of half of it.
__global__ void sum(const int *in, int *out, int step)
{
    __shared__ int part[128];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int s = step; s > 0; s /= 2) {
        if (threadIdx.x < s)
            part[threadIdx.x] += part[threadIdx.x + s]; // @add
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

int main(int argc, char **)
{
    int *in, *out;
    cudaMalloc(&in, 512 * sizeof(int));
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemset(in, 0, 512 * sizeof(int));
    sum<<<4, 128>>>(in, out, argc > 1 ? 128 : 64);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
