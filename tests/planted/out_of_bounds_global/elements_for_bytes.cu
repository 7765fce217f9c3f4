// kind: out of bounds
// at: @written
// cudaMalloc is asked for n bytes where n elements are needed.
template <typename T> T *device_array(size_t count, bool counts_bytes)
{
    T *p = nullptr;
    cudaMalloc((void **)&p, counts_bytes ? count : count * sizeof(T));
    return p;
}

__global__ void squares(long long *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = (long long)i * i; // @written
}

int main(int argc, char **)
{
    const int n = 300;
    long long *out = device_array<long long>(n, argc > 1);
    squares<<<1, 96>>>(out, n);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
