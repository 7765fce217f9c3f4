// kind: race
// at: @compared or @swapped
// A bitonic sort has a step for each distance, and each step needs its own barrier.
__device__ void order(unsigned &a, unsigned &b, bool up)
{
    const unsigned low = a, high = b; // @compared
    if (low > high == up) {
        a = high; // @swapped
        b = low;
    }
}

__global__ void sort(unsigned *keys, bool bad)
{
    __shared__ unsigned key[128];
    const unsigned i = threadIdx.x;
    key[i] = keys[i];
    __syncthreads();
    for (unsigned size = 2; size <= 128; size *= 2) {
        for (unsigned distance = size / 2; distance; distance /= 2) {
            if (i < (i ^ distance))
                order(key[i], key[i ^ distance], !(i & size));
            if (!bad)
                __syncthreads();
        }
        __syncthreads();
    }
    keys[i] = key[i];
}

int main(int argc, char **)
{
    unsigned *keys;
    cudaMallocManaged(&keys, 128 * sizeof *keys);
    for (unsigned i = 0; i < 128; i++)
        keys[i] = i * 77 % 128;
    sort<<<1, 128>>>(keys, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || (keys[0] == 0 && keys[127] == 127);
    cudaFree(keys);
    return !right;
}
