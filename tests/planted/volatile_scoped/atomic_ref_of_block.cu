// kind: race
// at: @added
// An atomic_ref whose scope is the block, for a sum of the whole grid.
#include <cuda/atomic>

template <cuda::thread_scope Scope> __global__ void add(const int *x, int *sum)
{
    cuda::atomic_ref<int, Scope> total(*sum);
    total.fetch_add(x[blockIdx.x * blockDim.x + threadIdx.x], cuda::memory_order_relaxed); // @added
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 97 * sizeof *x);
    for (int i = 0; i < 97; i++)
        x[i] = i < 96;
    if (argc > 1)
        add<cuda::thread_scope_block><<<3, 32>>>(x, x + 96);
    else
        add<cuda::thread_scope_device><<<3, 32>>>(x, x + 96);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[96] == 96;
    cudaFree(x);
    return !right;
}
