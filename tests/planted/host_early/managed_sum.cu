// kind: host beside a kernel
// at: @read
// The host reads a managed result right behind the launch.
#include <cstdio>

__global__ void sum(const int *x, int n, int *out)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += x[i];
    *out = all;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 101 * sizeof *x);
    for (int i = 0; i < 101; i++)
        x[i] = i;
    sum<<<1, 1>>>(x, 100, x + 100);
    if (argc == 1)
        cudaDeviceSynchronize();
    printf("%d\n", x[100]); // @read
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
