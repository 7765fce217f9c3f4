// kind: race
// at: @part or @all
// The first block adds the other blocks' parts up before the whole grid has come.
#include <cooperative_groups.h>

__global__ void sum(const int *x, int *parts, int *out, bool bad)
{
    const auto grid = cooperative_groups::this_grid();
    if (threadIdx.x == 0) {
        int mine = 0;
        for (int i = 0; i < 16; i++)
            mine += x[blockIdx.x * 16 + i];
        parts[blockIdx.x] = mine; // @part
    }
    if (!bad)
        grid.sync();
    if (grid.thread_rank() == 0) {
        *out = 0;
        for (int i = 0; i < gridDim.x; i++)
            *out += parts[i]; // @all
    }
    if (bad)
        grid.sync();
}

int main(int argc, char **)
{
    int *x, *parts, *out;
    bool bad = argc > 1;
    cudaMallocManaged(&x, 69 * sizeof *x);
    for (int i = 0; i < 69; i++)
        x[i] = 1;
    parts = x + 64;
    out = x + 68;
    void *arguments[] = {&x, &parts, &out, &bad};
    cudaLaunchCooperativeKernel(reinterpret_cast<void *>(sum), dim3(4), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    const bool right = bad || *out == 64;
    cudaFree(x);
    return !right;
}
