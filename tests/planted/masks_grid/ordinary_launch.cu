// kind: kernel ended or kernel failed or refused call
// grid.sync() in a kernel that was launched in the ordinary way.
#include <cooperative_groups.h>

__global__ void two_steps(int *x)
{
    const auto grid = cooperative_groups::this_grid();
    const int i = grid.thread_rank(), n = grid.size();
    x[i] = i;
    grid.sync();
    x[n + i] = x[n - 1 - i];
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 128 * sizeof *x);
    void *arguments[] = {&x};
    if (argc > 1)
        two_steps<<<2, 32>>>(x);
    else
        cudaLaunchCooperativeKernel(reinterpret_cast<void *>(two_steps), dim3(2), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
