// kind: race
// at: @added
// A tree of sums: the barrier belongs into the loop, not behind it.
template <typename T> __global__ void sum(const T *x, T *result, bool bad)
{
    extern __shared__ unsigned char bytes[];
    T *part = reinterpret_cast<T *>(bytes);
    part[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half]; // @added
        if (!bad)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        result[blockIdx.x] = part[0];
}

int main(int argc, char **)
{
    long long *x, *result;
    cudaMallocManaged(&x, 512 * sizeof *x);
    cudaMallocManaged(&result, 2 * sizeof *result);
    for (int i = 0; i < 512; i++)
        x[i] = i;
    sum<<<2, 256, 256 * sizeof *x>>>(x, result, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || result[0] + result[1] == 512 * 511 / 2;
    cudaFree(x);
    cudaFree(result);
    return !right;
}
