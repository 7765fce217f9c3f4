// kind: out of bounds
// at: @seen
// A thread marks the values that it has seen in an array of its own, and one is far beyond its end: nothing
// that the compiler has placed behind the array is there any more.
__global__ void how_many(const int *value, int width, int *different, bool careful)
{
    int seen[16] = {}, sum = 0;
    const int *mine = value + threadIdx.x * width;
    for (int i = 0; i < width; i++)
        if (!careful || mine[i] < 16)
            seen[mine[i]] = 1; // @seen
    for (int i = 0; i < 16; i++)
        sum += seen[i];
    different[threadIdx.x] = sum;
}

int main(int argc, char **)
{
    const int values[] = {1, 2, 3, 3, 4, 5, 700, 5, 6, 7, 7, 7, 1, 2, 14, 15};
    int *value, *different;
    cudaMalloc(&value, sizeof values);
    cudaMalloc(&different, 4 * sizeof *different);
    cudaMemcpy(value, values, sizeof values, cudaMemcpyHostToDevice);
    how_many<<<1, 4>>>(value, 4, different, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(value);
    cudaFree(different);
    return 0;
}
