// kind: race
// at: @chained
// A hash table has a lock for each bucket, and the lock is chosen by another remainder.
__device__ int locks[16], heads[16], links[64];

__global__ void insert(const int *keys, bool bad)
{
    const int key = keys[blockIdx.x], bucket = key % 8;
    int *lock = &locks[bad ? key % 16 : bucket];
    bool held = false;
    for (int turn = 0; turn < 100000 && !held; turn++)
        held = atomicCAS(lock, 0, 1) == 0;
    __threadfence();
    if (!held)
        return;
    links[blockIdx.x] = heads[bucket]; // @chained
    heads[bucket] = blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}

int main(int argc, char **)
{
    int *keys;
    cudaMallocManaged(&keys, 40 * sizeof *keys);
    for (int i = 0; i < 40; i++)
        keys[i] = i * 13;
    insert<<<40, 1>>>(keys, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(keys);
    return 0;
}
