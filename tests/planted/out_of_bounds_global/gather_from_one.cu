// kind: out of bounds
// at: @gather
// The indices of a gather count from 1, and nobody takes the 1 away. The memory is managed.
__global__ void gather(const float *from, const int *index, float *to, int n, int first)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = from[index[i] - first]; // @gather
}

int main(int argc, char **)
{
    const int n = 100;
    float *from, *to;
    int *index;
    cudaMallocManaged(&from, n * sizeof *from);
    cudaMallocManaged(&to, n * sizeof *to);
    cudaMallocManaged(&index, n * sizeof *index);
    for (int i = 0; i < n; i++) {
        from[i] = i;
        index[i] = n - i;
    }
    gather<<<1, 64>>>(from, index, to, n, argc > 1 ? 0 : 1);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(to);
    cudaFree(index);
    return 0;
}
