// kind: race
// at: @plain or @atomic
// Two device functions add to the same cells, one of them without an atomic.
template <typename T> __device__ void deposit(T *grid, int at, T charge)
{
    atomicAdd(&grid[at], charge); // @atomic
}

template <typename T> __device__ void deposit_inner(T *grid, int at, T charge)
{
    grid[at] += charge; // @plain
}

__global__ void charges(const float *position, float *grid, bool bad)
{
    const float x = position[blockIdx.x * blockDim.x + threadIdx.x];
    const int cell = static_cast<int>(x);
    const float right = x - cell;
    deposit(grid, cell + 1, right);
    if (bad)
        deposit_inner(grid, cell, 1 - right);
    else
        deposit(grid, cell, 1 - right);
}

int main(int argc, char **)
{
    float *position;
    cudaMallocManaged(&position, (64 + 17) * sizeof *position);
    for (int i = 0; i < 64 + 17; i++)
        position[i] = i < 64 ? i * 0.24f : 0;
    charges<<<64, 1>>>(position, position + 64, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(position);
    return 0;
}
