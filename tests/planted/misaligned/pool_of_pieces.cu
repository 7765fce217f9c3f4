// kind: misaligned
// at: @set
// One allocation is cut into pieces of several types, and the pieces' sizes are not rounded up.
struct pool {
    char *next;
    size_t round;
    template <typename T> T *take(size_t count)
    {
        T *piece = (T *)next;
        next += (count * sizeof(T) + round - 1) / round * round;
        return piece;
    }
};

__global__ void start(char *name, long long *key, int n)
{
    if (threadIdx.x < n)
        name[threadIdx.x] = 'x';
    key[threadIdx.x] = threadIdx.x; // @set
}

int main(int argc, char **)
{
    char *memory;
    cudaMalloc(&memory, 1024);
    pool pieces = {memory, (size_t)(argc > 1 ? 1 : 16)};
    char *name = pieces.take<char>(21);
    start<<<1, 32>>>(name, pieces.take<long long>(32), 21);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(memory);
    return 0;
}
