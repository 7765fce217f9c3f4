/**
 * @file accept_template_restrict.cu
 * @brief Kernel templates whose parameters are `__restrict__`: g++ keeps that word in `decltype` of a
 * parameter, though it is no part of the function's type. umcc's registration of such a kernel was refused.
 */
#include <stdio.h>

template <class T> __global__ void numbers(int n, T *__restrict__ out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = i;
}

template <class T>
__global__ void one_more(const int n, const T *const __restrict__ in, T *__restrict__ const out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1;
}

int main()
{
    const int n = 1000;
    unsigned *first, *second, last[2] = {0, 0};
    cudaMalloc((void **)&first, n * sizeof *first);
    cudaMalloc((void **)&second, n * sizeof *second);
    numbers<<<2, 32>>>(n, first);
    one_more<unsigned><<<32, 32>>>(n, first, second);
    cudaMemcpy(last, first + n - 1, sizeof *last, cudaMemcpyDeviceToHost);
    cudaMemcpy(last + 1, second + n - 1, sizeof *last, cudaMemcpyDeviceToHost);
    const bool right = last[0] == 999 && last[1] == 1000 && cudaGetLastError() == cudaSuccess;
    puts(right ? "ok" : "wrong numbers");
    return !right;
}
