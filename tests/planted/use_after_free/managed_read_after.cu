// kind: host fault
// at: @sum
// The host prints a result in managed memory that has been freed.
#include <cstdio>

__global__ void sum(const int *x, int n, int *result)
{
    for (int i = 0; i < n; i++)
        *result += x[i];
}

int main(int argc, char **)
{
    int *x, *result;
    cudaMallocManaged(&x, 400);
    cudaMallocManaged(&result, sizeof *result);
    for (int i = 0; i < 100; i++)
        x[i] = i;
    *result = 0;
    sum<<<1, 1>>>(x, 100, result);
    cudaDeviceSynchronize();
    cudaFree(x);
    if (argc > 1)
        cudaFree(result);
    printf("%d\n", *result); // @sum
    if (argc == 1)
        cudaFree(result);
    return 0;
}
