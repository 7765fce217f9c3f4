// kind: kernel ended or kernel failed or barrier passed by or race
// A loader's threads sync the whole block's group in a function of their own, while the others go on to their
// barrier.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void load(const cg::thread_block &block, float *cache, const float *x)
{
    cache[block.thread_rank()] = x[block.thread_rank()];
    block.sync();
}

__global__ void spread(float *x, bool bad)
{
    __shared__ float cache[32];
    const auto block = cg::this_thread_block();
    const int i = block.thread_rank();
    if (bad && i < 32)
        load(block, cache, x);
    if (!bad) {
        if (i < 32)
            cache[i] = x[i];
        block.sync();
    }
    block.sync();
    x[i] = cache[i % 32] + i / 32;
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 96 * sizeof *x);
    for (int i = 0; i < 96; i++)
        x[i] = i;
    spread<<<1, dim3(48, 2)>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
