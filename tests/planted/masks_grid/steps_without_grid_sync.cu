// kind: race
// at: @stepped
// A cooperative kernel makes its steps with the barrier of a block instead of the grid's.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void heat(float *a, float *b, int n, int steps, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *from = a, *to = b;
    for (int step = 0; step < steps; step++) {
        if (i > 0 && i < n - 1)
            to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3; // @stepped
        if (bad)
            cg::this_thread_block().sync();
        else
            cg::this_grid().sync();
        float *other = from;
        from = to;
        to = other;
    }
}

int main(int argc, char **)
{
    float *a, *b;
    int n = 128, steps = 4;
    bool bad = argc > 1;
    cudaMallocManaged(&a, n * sizeof *a);
    cudaMallocManaged(&b, n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i % 9;
    void *arguments[] = {&a, &b, &n, &steps, &bad};
    cudaLaunchCooperativeKernel(reinterpret_cast<void *>(heat), dim3(4), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
