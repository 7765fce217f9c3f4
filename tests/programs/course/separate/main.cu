// A program of several files: nvcc -rdc=true main.cu particles.cu vector3.cu report.cpp
#include <stdio.h>
#include "vector3.h"

float simulate(int n, int rounds, int *sums);
int report(const char *what, bool good); // report.cpp, compiled by the host's compiler

int main()
{
    const int n = 300, rounds = 4;
    const float half = 0.5f;
    int *sums, *total;
    if (cudaMallocManaged(&sums, 3 * sizeof(int)) != cudaSuccess ||
        cudaMallocManaged(&total, sizeof(int)) != cudaSuccess)
        return 1;
    if (cudaMemcpyToSymbol(timeStep, &half, sizeof half) != cudaSuccess)
        return 1;
    float worst = simulate(n, rounds, sums);
    int failed = report("distance", worst >= 0 && worst < 1e-4f);
    failed += report("block sums", sums[0] == 128 && sums[1] == 128 && sums[2] == 300 - 256);
    count<<<1, 1>>>(total);
    failed += report("count", cudaDeviceSynchronize() == cudaSuccess && *total == n * rounds);
    int back = 0;
    cudaMemcpyFromSymbol(&back, steps, sizeof back);
    failed += report("symbol", back == n * rounds);
    cudaFree(sums);
    cudaFree(total);
    printf("%d failed\n", failed);
    return failed != 0;
}
