// kind: race
// at: @filled or @taken
// A ring of four places between two warps of a block, with atomics of the block; the reader takes without a
// fence.
struct Ring {
    int item[4], head, tail;
};

__global__ void ring(int *out, bool bad)
{
    __shared__ Ring ring;
    if (threadIdx.x == 0)
        ring.head = ring.tail = 0;
    __syncthreads();
    for (int n = 0; n < 8 && threadIdx.x % 32 == 0; n++) {
        int turn = 0;
        if (threadIdx.x == 0) {
            while (n - atomicAdd_block(&ring.tail, 0) >= 4 && turn < 100000)
                turn++;
            __threadfence_block();
            ring.item[n % 4] = n; // @filled
            __threadfence_block();
            atomicAdd_block(&ring.head, 1);
        } else {
            while (atomicAdd_block(&ring.head, 0) <= n && turn < 100000)
                turn++;
            if (!bad)
                __threadfence_block();
            out[n] = ring.item[n % 4]; // @taken
            __threadfence_block();
            atomicAdd_block(&ring.tail, 1);
        }
    }
}

int main(int argc, char **)
{
    int *out;
    cudaMallocManaged(&out, 8 * sizeof *out);
    ring<<<1, 64>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
