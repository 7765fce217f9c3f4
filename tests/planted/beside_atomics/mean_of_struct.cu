// kind: race
// at: @weighed or @mean
// Sum and weight are gathered by atomics of the whole block. A warp's barrier does not wait for the other
// warps.
struct Mean {
    float sum, weight;
};

__global__ void mean(const float *x, float *out, bool bad)
{
    __shared__ Mean all;
    if (threadIdx.x == 0)
        all = Mean{0, 0};
    __syncthreads();
    atomicAdd(&all.sum, x[threadIdx.x]);
    atomicAdd(&all.weight, 1.0f); // @weighed
    if (bad)
        __syncwarp();
    else
        __syncthreads();
    if (threadIdx.x == 127)
        *out = all.sum / all.weight; // @mean
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 129 * sizeof *x);
    for (int i = 0; i < 128; i++)
        x[i] = 3;
    mean<<<1, 128>>>(x, x + 128, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[128] == 3;
    cudaFree(x);
    return !right;
}
