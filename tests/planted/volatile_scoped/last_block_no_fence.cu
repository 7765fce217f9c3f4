// kind: race
// at: @part or @all
// The last block adds up the parts of all. Each block needs a fence between its part and the counter.
__device__ unsigned arrived;

__global__ void sum(const float *x, float *parts, float *out, bool bad)
{
    if (threadIdx.x == 0) {
        float mine = 0;
        for (int i = 0; i < 16; i++)
            mine += x[blockIdx.x * 16 + i];
        parts[blockIdx.x] = mine; // @part
        if (!bad)
            __threadfence();
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            __threadfence();
            float all = 0;
            for (int block = 0; block < gridDim.x; block++)
                all += parts[block]; // @all
            *out = all;
        }
    }
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 73 * sizeof *x);
    for (int i = 0; i < 73; i++)
        x[i] = 1;
    sum<<<4, 32>>>(x, x + 64, x + 72, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[72] == 64;
    cudaFree(x);
    return !right;
}
