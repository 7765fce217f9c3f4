// expect: Error: Host read of managed memory that kernel count may still write
// expect: at main in @read
// expect: and the kernel was launched at @launch
// expect: cudaDeviceSynchronize() before the host goes on
// A kernel counts by atomics, and the host reads the count as if nobody changed it. It may poll it: by
// volatile reads.
__managed__ int counter;

__global__ void count(int *also)
{
    atomicAdd(&counter, 1);
    __threadfence_system();
    atomicAdd_system(also, 1);
}

int main(int argc, char **)
{
    int *also, *other;
    cudaMallocManaged(&also, sizeof *also);
    cudaMallocManaged(&other, 1000 * sizeof *other);
    *also = 0;
    count<<<2, 32>>>(also); // @launch
    for (int i = 0; i < 1000; i++)
        other[i] = i; // nothing to do with the kernel
    if (argc > 1)
        other[0] = *also; // @read
    while (*(volatile int *)&counter < 64 || *(volatile int *)also < 64)
        ;
    cudaDeviceSynchronize();
    const bool right = counter == 64 && *also == 64;
    cudaFree(also);
    cudaFree(other);
    return !right;
}
