// kind: race
// at: @low or @high
// A warp sorts by turns of even and odd pairs. A lane that has no partner in a turn has to wait for it, too.
__device__ void order(int *pair)
{
    const int low = min(pair[0], pair[1]), high = max(pair[0], pair[1]); // @low
    pair[0] = low;                                                       // @high
    pair[1] = high;
}

template <bool Bad> __global__ void sort(int *keys)
{
    __shared__ int key[32];
    const int lane = threadIdx.x;
    key[lane] = keys[lane];
    __syncwarp();
    for (int turn = 0; turn < 32; turn++) {
        if (lane % 2 == turn % 2 && lane < 31)
            order(key + lane);
        if (!Bad)
            __syncwarp();
    }
    __syncwarp();
    keys[lane] = key[lane];
}

int main(int argc, char **)
{
    int *keys;
    cudaMallocManaged(&keys, 32 * sizeof *keys);
    for (int i = 0; i < 32; i++)
        keys[i] = 31 - i;
    if (argc > 1)
        sort<true><<<1, 32>>>(keys);
    else
        sort<false><<<1, 32>>>(keys);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || keys[5] == 5;
    cudaFree(keys);
    return !right;
}
