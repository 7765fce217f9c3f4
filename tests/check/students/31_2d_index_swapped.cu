// expect: Invalid __global__ write of size 4 bytes
// expect: at transpose(float const*, float*, int, int)
// expect: in @bug
// expect: An index is too large or too small
// twin: -DRIGHT
// Width and height are confused.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void transpose(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef RIGHT
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x];
#else
    if (x < w && y < h)
        out[x * w + y] = in[y * w + x]; // @bug
#endif
}
int main()
{
    const int w = 64, h = 32;
    float *a, *b;
    cudaMalloc(&a, w * h * sizeof(float));
    cudaMalloc(&b, w * h * sizeof(float));
    cudaMemset(a, 0, w * h * sizeof(float));
    transpose<<<dim3(4, 2), dim3(16, 16)>>>(a, b, w, h);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
