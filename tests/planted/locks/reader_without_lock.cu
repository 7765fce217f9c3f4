// kind: race
// at: @written or @read
// The writers hold the lock, and one reader does without it.
__device__ int lock;
__device__ float2 best;

__device__ bool take()
{
    bool held = false;
    for (int turn = 0; turn < 100000 && !held; turn++)
        held = atomicExch(&lock, 1) == 0;
    __threadfence();
    return held;
}

__global__ void improve(float2 *out, bool bad)
{
    const bool reads = blockIdx.x == 5;
    if (reads && bad) {
        *out = best; // @read
        return;
    }
    if (!take())
        return;
    if (reads)
        *out = best;
    else
        best = make_float2(best.x + blockIdx.x, blockIdx.x); // @written
    __threadfence();
    atomicExch(&lock, 0);
}

int main(int argc, char **)
{
    float2 *out;
    cudaMallocManaged(&out, sizeof *out);
    improve<<<6, 1>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
