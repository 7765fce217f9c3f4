// kind: race
// at: @reserved or @taken
// A warp's leader reserves places for all its lanes, and tells them by __shared__ memory.
struct Places {
    unsigned first, count;
};

__global__ void filter(const int *x, int n, int *out, unsigned *length, bool bad)
{
    __shared__ Places places[4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    const bool keep = i < n && x[i] % 3 == 0;
    const unsigned mask = __ballot_sync(0xffffffff, keep);
    if (lane == 0) {
        places[warp].count = __popc(mask);
        places[warp].first = atomicAdd(length, places[warp].count); // @reserved
    }
    if (!bad)
        __syncwarp();
    if (keep)
        out[places[warp].first + __popc(mask & ((1u << lane) - 1))] = x[i]; // @taken
}

int main(int argc, char **)
{
    int *x;
    unsigned *length;
    cudaMallocManaged(&x, 600 * sizeof *x);
    cudaMallocManaged(&length, sizeof *length);
    for (int i = 0; i < 300; i++)
        x[i] = i;
    *length = 0;
    filter<<<3, 128>>>(x, 300, x + 300, length, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || *length == 100;
    cudaFree(x);
    cudaFree(length);
    return !right;
}
