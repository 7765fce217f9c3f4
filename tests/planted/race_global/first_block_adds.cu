// kind: race
// at: @stored or @added
// The first block adds up what all blocks have stored, without waiting for them. A second kernel would wait.
template <typename T, bool Bad> __global__ void squares(const T *x, T *part, T *result)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[i] = x[i] * x[i]; // @stored
    if (Bad && i == 0) {
        *result = 0;
        for (int k = 0; k < gridDim.x * blockDim.x; k++)
            *result += part[k]; // @added
    }
}

template <typename T> __global__ void add(const T *part, int n, T *result)
{
    *result = 0;
    for (int k = 0; k < n; k++)
        *result += part[k];
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 257 * sizeof *x);
    for (int i = 0; i < 128; i++)
        x[i] = i;
    if (argc > 1) {
        squares<float, true><<<4, 32>>>(x, x + 128, x + 256);
    } else {
        squares<float, false><<<4, 32>>>(x, x + 128, x + 256);
        add<<<1, 1>>>(x + 128, 128, x + 256);
    }
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
