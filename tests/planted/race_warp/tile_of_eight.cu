// kind: race
// at: @kept or @smallest
// Tiles of eight lanes look for their smallest value in __shared__ memory, and have to wait for their own
// lanes.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void smallest(const int *x, int *out, bool bad)
{
    __shared__ int value[64];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int *mine = value + threadIdx.x / 8 * 8;
    mine[tile.thread_rank()] = x[threadIdx.x]; // @kept
    if (!bad)
        tile.sync();
    if (tile.thread_rank() == 0) {
        int low = mine[0];
        for (int i = 1; i < 8; i++)
            low = min(low, mine[i]); // @smallest
        out[threadIdx.x / 8] = low;
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 72 * sizeof *x);
    for (int i = 0; i < 64; i++)
        x[i] = 100 - i;
    smallest<<<1, 64>>>(x, x + 64, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[64] == 93;
    cudaFree(x);
    return !right;
}
