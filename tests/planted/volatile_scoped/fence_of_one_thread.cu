// kind: race
// at: @all or @sum
// All threads of a block store, one of them fences and raises the flag: a barrier has to come first.
__global__ void produce(int *data, int *flag, int *out, bool bad)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x * 2; // @all
        if (!bad)
            __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else if (threadIdx.x == 0) {
        bool seen = false;
        for (int turn = 0; turn < 100000 && !seen; turn++)
            seen = atomicAdd(flag, 0) == 1;
        __threadfence();
        for (int i = 0; seen && i < 64; i++)
            *out += data[i]; // @sum
    }
}

int main(int argc, char **)
{
    int *data;
    cudaMallocManaged(&data, 66 * sizeof *data);
    for (int i = 0; i < 66; i++)
        data[i] = 0;
    produce<<<2, 64>>>(data, data + 64, data + 65, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
