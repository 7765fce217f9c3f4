// kind: race
// at: @summed or @counted
// The lock is released before the last of the members has been changed.
struct Statistic {
    double sum;
    int count, lock;
};

__device__ bool take(int *lock)
{
    for (int turn = 0; turn < 100000; turn++)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            return true;
        }
    return false;
}

__device__ void release(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void gather(const double *x, Statistic *all, bool bad)
{
    if (!take(&all->lock))
        return;
    all->sum += x[blockIdx.x]; // @summed
    if (bad)
        release(&all->lock);
    all->count++; // @counted
    if (!bad)
        release(&all->lock);
}

int main(int argc, char **)
{
    double *x;
    Statistic *all;
    cudaMallocManaged(&x, 8 * sizeof *x);
    cudaMallocManaged(&all, sizeof *all);
    for (int i = 0; i < 8; i++)
        x[i] = i;
    *all = {0, 0, 0};
    gather<<<8, 1>>>(x, all, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(all);
    return 0;
}
