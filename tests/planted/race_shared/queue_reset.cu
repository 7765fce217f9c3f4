// kind: race
// at: @reset or @total
// A block's queue is emptied for the next level while others still read how long it is.
__global__ void levels(const int *values, int *lengths, int *copies, bool bad)
{
    __shared__ int queue[128], length;
    for (int level = 0; level < 3; level++) {
        if (threadIdx.x == 0)
            length = 0; // @reset
        __syncthreads();
        const int value = values[level * 128 + threadIdx.x];
        if (value > 5)
            queue[atomicAdd(&length, 1)] = value;
        __syncthreads();
        const int total = length; // @total
        if (threadIdx.x < total)
            copies[level * 128 + threadIdx.x] = queue[threadIdx.x];
        if (threadIdx.x == 77)
            lengths[level] = total;
        if (!bad)
            __syncthreads();
    }
}

int main(int argc, char **)
{
    int *values, *lengths;
    cudaMallocManaged(&values, 2 * 3 * 128 * sizeof *values);
    cudaMallocManaged(&lengths, 3 * sizeof *lengths);
    for (int i = 0; i < 3 * 128; i++)
        values[i] = i % 13;
    levels<<<1, 128>>>(values, lengths, values + 3 * 128, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(values);
    cudaFree(lengths);
    return 0;
}
