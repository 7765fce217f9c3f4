// kind: race
// at: @changed
// A lock of atomics without fences: they order the lock, and not what it protects.
__device__ int lock;

__global__ void deposit(int *balance, bool bad)
{
    if (threadIdx.x != 0)
        return;
    for (int turn = 0; turn < 100000; turn++)
        if (atomicCAS(&lock, 0, 1) == 0) {
            if (!bad)
                __threadfence();
            *balance += blockIdx.x; // @changed
            if (!bad)
                __threadfence();
            atomicExch(&lock, 0);
            break;
        }
}

int main(int argc, char **)
{
    int *balance;
    cudaMallocManaged(&balance, sizeof *balance);
    *balance = 0;
    deposit<<<8, 32>>>(balance, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(balance);
    return 0;
}
