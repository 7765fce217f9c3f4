// kind: out of bounds
// at: @bucket
// Points are put into four buckets of shared memory, those on the last border into a fifth that is not there.
struct bucket {
    int count;
    float low, high;
};

__global__ void fill(const float *x, int *counts, bool careful)
{
    __shared__ bucket buckets[4];
    if (threadIdx.x < 4)
        buckets[threadIdx.x] = {0, threadIdx.x * 0.25f, threadIdx.x * 0.25f + 0.25f};
    __syncthreads();
    int at = (int)(x[threadIdx.x] / 0.25f);
    if (careful && at > 3)
        at = 3;
    atomicAdd(&buckets[at].count, 1); // @bucket
    __syncthreads();
    if (threadIdx.x < 4)
        counts[threadIdx.x] = buckets[threadIdx.x].count;
}

int main(int argc, char **)
{
    float values[33], *x;
    int *counts;
    for (int i = 0; i <= 32; i++)
        values[i] = i / 32.0f;
    cudaMalloc(&x, sizeof values);
    cudaMalloc(&counts, 4 * sizeof *counts);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    fill<<<1, 33>>>(x, counts, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(counts);
    return 0;
}
