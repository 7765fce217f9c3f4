// kind: race
// at: @taken or @next
// Threads take tickets from a counter in __shared__ memory, and one looks at it to print how many were taken.
struct Pool {
    int taken;
    unsigned char owner[96];
};

__global__ void tickets(unsigned char *owners, int *half, bool bad)
{
    __shared__ Pool pool;
    if (threadIdx.x == 0)
        pool.taken = 0;
    __syncthreads();
    const int ticket = atomicAdd(&pool.taken, 1); // @taken
    pool.owner[ticket] = static_cast<unsigned char>(threadIdx.x);
    if (!bad)
        __syncthreads();
    if (threadIdx.x == 5)
        *half = pool.taken / 2; // @next
    __syncthreads();
    owners[threadIdx.x] = pool.owner[threadIdx.x];
}

int main(int argc, char **)
{
    unsigned char *owners;
    int *half;
    cudaMallocManaged(&owners, 96);
    cudaMallocManaged(&half, sizeof *half);
    tickets<<<1, 96>>>(owners, half, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || *half == 48;
    cudaFree(owners);
    cudaFree(half);
    return !right;
}
