// kind: uninitialised
// at: @sum
// missed: whether managed memory was written
// Managed memory is added to that neither the host nor a kernel has set.
__global__ void dot(const double *a, const double *b, double *sum)
{
    atomicAdd(sum, a[threadIdx.x] * b[threadIdx.x]); // @sum
}

int main(int argc, char **)
{
    double *a, *b, *sum;
    cudaMallocManaged(&a, 32 * sizeof *a);
    cudaMallocManaged(&b, 32 * sizeof *b);
    cudaMallocManaged(&sum, sizeof *sum);
    for (int i = 0; i < 32; i++)
        a[i] = b[i] = i;
    if (argc == 1)
        *sum = 0;
    dot<<<1, 32>>>(a, b, sum);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
    return 0;
}
