// kind: race or uninitialised
// at: @written or @partner
// A butterfly over sixteen lanes waits only for tiles of eight.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <int LANES> __global__ void butterfly(float *x)
{
    __shared__ float value[2][32];
    const auto tile = cg::tiled_partition<LANES>(cg::this_thread_block());
    const int lane = threadIdx.x;
    value[0][lane] = x[lane];
    int from = 0;
    for (int distance = 1; distance < 16; distance *= 2) {
        tile.sync();
        const float other = value[from][lane ^ distance];           // @partner
        value[1 - from][lane] = (value[from][lane] + other) * 0.5f; // @written
        from = 1 - from;
    }
    x[lane] = value[from][lane];
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    for (int i = 0; i < 32; i++)
        x[i] = i;
    if (argc > 1)
        butterfly<8><<<1, 32>>>(x);
    else
        butterfly<16><<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
