// kind: race
// at: @row
// The first thread releases the lock while the others of its block still add: a barrier has to come before.
__global__ void add_rows(const int *m, int *sum, int *lock, bool bad)
{
    __shared__ bool held;
    if (threadIdx.x == 0) {
        held = false;
        for (int turn = 0; turn < 100000 && !held; turn++)
            held = atomicCAS(lock, 0, 1) == 0;
        __threadfence();
    }
    __syncthreads();
    if (held)
        sum[threadIdx.x] += m[blockIdx.x * 64 + threadIdx.x]; // @row
    if (!bad)
        __syncthreads();
    if (threadIdx.x == 0 && held) {
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main(int argc, char **)
{
    int *m;
    cudaMallocManaged(&m, (4 * 64 + 65) * sizeof *m);
    for (int i = 0; i < 4 * 64 + 65; i++)
        m[i] = i < 4 * 64;
    add_rows<<<4, 64>>>(m, m + 256, m + 320, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(m);
    return 0;
}
