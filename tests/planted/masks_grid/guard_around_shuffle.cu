// kind: absent lanes or kernel ended or kernel failed
// missed: told as a note only, because the lanes have returned; that the values are used is not seen
// Lanes beyond the end have left, and the others still name them in their mask.
struct Sample {
    float value;
    int weight;
};

__device__ int sum_of_warp(unsigned mask, int mine)
{
    for (int offset = 16; offset > 0; offset /= 2)
        mine += __shfl_down_sync(mask, mine, offset);
    return mine;
}

__global__ void weigh(const Sample *samples, int n, int *sum, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (bad && i >= n)
        return;
    const int all = sum_of_warp(0xffffffff, i < n ? samples[i].weight : 0);
    if (threadIdx.x == 0)
        atomicAdd(sum, all);
}

int main(int argc, char **)
{
    Sample *samples;
    int *sum;
    cudaMallocManaged(&samples, 50 * sizeof *samples);
    cudaMallocManaged(&sum, sizeof *sum);
    for (int i = 0; i < 50; i++)
        samples[i] = {0.5f, 2};
    *sum = 0;
    weigh<<<2, 32>>>(samples, 50, sum, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || *sum == 100;
    cudaFree(samples);
    cudaFree(sum);
    return !right;
}
