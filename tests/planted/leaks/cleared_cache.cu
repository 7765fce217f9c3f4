// kind: leak
// at: @block
// A cache of blocks is cleared: the vector forgets the pointers, and nobody frees them.
#include <vector>

static std::vector<void *> cache;

static void *block_of(size_t bytes)
{
    void *block;
    cudaMallocManaged(&block, bytes); // @block
    cache.push_back(block);
    return block;
}

int main(int argc, char **)
{
    for (int i = 1; i < 5; i++)
        cudaMemset(block_of(64 * i), 0, 64);
    cudaDeviceSynchronize();
    if (argc == 1)
        for (void *block : cache)
            cudaFree(block);
    cache.clear();
    return 0;
}
