// kind: race
// at: @count or @place
// Two phases of a sort use the same bytes. The second begins while some are in the first.
union Scratch {
    int count[64];
    struct {
        short key, from;
    } place[64];
};

__global__ void rank(const int *keys, int *sorted, bool bad)
{
    __shared__ Scratch scratch;
    const int i = threadIdx.x, key = keys[i];
    scratch.count[i] = key;
    __syncthreads();
    int smaller = 0;
    for (int k = 0; k < 64; k++)
        smaller += scratch.count[k] < key; // @count
    if (!bad)
        __syncthreads();
    scratch.place[smaller].key = static_cast<short>(key); // @place
    scratch.place[smaller].from = static_cast<short>(i);
    __syncthreads();
    sorted[i] = scratch.place[i].key;
}

int main(int argc, char **)
{
    int *keys;
    cudaMallocManaged(&keys, 128 * sizeof *keys);
    for (int i = 0; i < 64; i++)
        keys[i] = i * 29 % 64;
    rank<<<1, 64>>>(keys, keys + 64, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || keys[64 + 17] == 17;
    cudaFree(keys);
    return !right;
}
