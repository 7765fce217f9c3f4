// kind: out of bounds
// at: @second
// Dynamic shared memory holds positions and, behind them, weights; the launch asks for the positions only.
struct item {
    float2 position;
    float weight;
};

__global__ void centre(const item *items, float *out, int n)
{
    extern __shared__ float2 position[];
    float *weight = (float *)(position + n);
    const item mine = items[threadIdx.x];
    position[threadIdx.x] = mine.position;
    weight[threadIdx.x] = mine.weight; // @second
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += position[i].x * weight[i]; // @used
    *out = sum;
}

int main(int argc, char **)
{
    const int n = 48;
    item *items;
    float *out;
    cudaMalloc(&items, n * sizeof(item));
    cudaMalloc(&out, sizeof(float));
    cudaMemset(items, 0, n * sizeof(item));
    centre<<<1, n, n *(sizeof(float2) + (argc > 1 ? 0 : sizeof(float)))>>>(items, out, n);
    cudaDeviceSynchronize();
    cudaFree(items);
    cudaFree(out);
    return 0;
}
