// kind: uninitialised copy or uninitialised
// at: @back
// A stencil writes the inner points, and the whole result is copied back and used.
#include <cstdio>

__global__ void smooth(const float *in, float *out, int n)
{
    const int i = threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

int main(int argc, char **)
{
    float values[32] = {}, *in, *out, sum = 0;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    if (argc == 1)
        cudaMemcpy(out, in, sizeof values, cudaMemcpyDeviceToDevice);
    smooth<<<1, 32>>>(in, out, 32);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost); // @back
    for (float value : values)
        sum += value;
    printf("%g\n", sum);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
