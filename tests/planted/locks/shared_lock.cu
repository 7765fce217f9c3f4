// kind: race
// at: @merged
// The warps of a block share a lock in __shared__ memory. It needs fences as well.
__global__ void merge(const int *x, int *out, bool bad)
{
    __shared__ int lock, largest, index;
    if (threadIdx.x == 0)
        lock = largest = index = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        const int mine = x[threadIdx.x];
        bool held = false;
        for (int turn = 0; turn < 100000 && !held; turn++)
            held = atomicCAS(&lock, 0, 1) == 0;
        if (!bad)
            __threadfence_block();
        if (held && mine > largest) { // @merged
            largest = mine;
            index = threadIdx.x;
        }
        if (!bad)
            __threadfence_block();
        if (held)
            atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = index;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 257 * sizeof *x);
    for (int i = 0; i < 257; i++)
        x[i] = i;
    merge<<<1, 256>>>(x, x + 256, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
