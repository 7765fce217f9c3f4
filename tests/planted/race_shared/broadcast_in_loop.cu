// kind: race
// at: @taken or @looked
// One thread fetches the next piece of work for its block. Without the second barrier it may fetch while
// others look.
__device__ int next_piece;

__global__ void work(int *done, int pieces, bool bad)
{
    __shared__ int piece;
    for (;;) {
        if (threadIdx.x == 0)
            piece = atomicAdd(&next_piece, 1); // @taken
        __syncthreads();
        const int mine = piece; // @looked
        if (mine >= pieces)
            return;
        done[mine * blockDim.x + threadIdx.x] = blockIdx.x + 1;
        if (!bad)
            __syncthreads();
    }
}

int main(int argc, char **)
{
    int *done;
    cudaMallocManaged(&done, 10 * 64 * sizeof *done);
    work<<<3, 64>>>(done, 10, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(done);
    return 0;
}
