// kind: out of bounds
// at: @bound
// A thread looks up the end of its part in an array of starts, and the array that is declared next has
// another use.
__global__ void lengths(const int *begin, int parts, int n, int *length, bool careful)
{
    __shared__ int start[32];
    __shared__ int result[32];
    const int i = threadIdx.x;
    start[i] = begin[i];
    result[i] = 0;
    __syncthreads();
    const int end = careful && i + 1 == parts ? n : start[i + 1]; // @bound
    __syncthreads();
    result[i] = end - start[i];
    length[i] = result[i];
}

int main(int argc, char **)
{
    int starts[32], *begin, *length;
    for (int i = 0; i < 32; i++)
        starts[i] = 3 * i;
    cudaMalloc(&begin, sizeof starts);
    cudaMalloc(&length, sizeof starts);
    cudaMemcpy(begin, starts, sizeof starts, cudaMemcpyHostToDevice);
    lengths<<<1, 32>>>(begin, 32, 96, length, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(begin);
    cudaFree(length);
    return 0;
}
