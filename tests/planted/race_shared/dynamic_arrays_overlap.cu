// kind: race
// at: @first or @second
// Two arrays share the dynamic __shared__ memory. The second one is laid into the first.
__global__ void dot(const float *a, const int *weight, float *out, int n, bool bad)
{
    extern __shared__ float values[];
    int *weights = reinterpret_cast<int *>(values + (bad ? n / 2 : n));
    const int i = threadIdx.x;
    values[i] = a[i];       // @first
    weights[i] = weight[i]; // @second
    __syncthreads();
    if (i == 0) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += values[k] * weights[k];
        *out = sum;
    }
}

int main(int argc, char **)
{
    float *a, *out;
    int *weight;
    cudaMallocManaged(&a, 80 * sizeof *a);
    cudaMallocManaged(&weight, 80 * sizeof *weight);
    cudaMallocManaged(&out, sizeof *out);
    for (int i = 0; i < 80; i++) {
        a[i] = i;
        weight[i] = i % 3;
    }
    dot<<<1, 80, 80 * (sizeof *a + sizeof *weight)>>>(a, weight, out, 80, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(weight);
    cudaFree(out);
    return 0;
}
