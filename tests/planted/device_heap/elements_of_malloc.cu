// kind: out of bounds
// at: @set
// malloc in a kernel is asked for n bytes instead of n doubles.
template <typename T> __global__ void prefix(T *out, int n, size_t size)
{
    T *sums = (T *)malloc(n * size);
    for (int i = 0; i < n; i++)
        sums[i] = (i > 0 ? sums[i - 1] : 0) + i; // @set
    out[threadIdx.x] = sums[n - 1];
    free(sums);
}

int main(int argc, char **)
{
    double *out;
    cudaMalloc(&out, 8 * sizeof *out);
    prefix<<<1, 8>>>(out, 16, argc > 1 ? 1 : sizeof(double));
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
