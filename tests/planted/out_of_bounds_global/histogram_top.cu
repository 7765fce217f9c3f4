// kind: out of bounds
// at: @count
// Values from 0 to 1 are counted in ten bins: the 1 itself belongs to no bin.
__device__ int bin_of(float value, int bins, bool careful)
{
    const int bin = (int)(value * bins);
    return careful ? min(bin, bins - 1) : bin;
}

__global__ void histogram(const float *x, int n, unsigned *bins, int of, bool careful)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(bins + bin_of(x[i], of, careful), 1u); // @count
}

int main(int argc, char **)
{
    const int n = 101, of = 10;
    float values[n], *x;
    unsigned *bins;
    for (int i = 0; i < n; i++)
        values[i] = i / 100.0f;
    cudaMalloc(&x, sizeof values);
    cudaMalloc(&bins, of * sizeof *bins);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, of * sizeof *bins);
    histogram<<<4, 32>>>(x, n, bins, of, argc == 1);
    cudaMemcpy(values, bins, of * sizeof *bins, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(bins);
    return 0;
}
