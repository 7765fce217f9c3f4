// kind: race
// at: @appended or @length
// A thread appends with an atomic, and reads the length again instead of using what it got.
__global__ void keep_odd(const int *x, int *kept, unsigned *length, unsigned *place, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    place[i] = 0;
    if (x[i] % 2 == 0)
        return;
    unsigned at = atomicAdd(length, 1); // @appended
    kept[at] = x[i];
    place[i] = bad ? *length : at + 1; // @length
}

int main(int argc, char **)
{
    int *x;
    unsigned *length;
    cudaMallocManaged(&x, 256 * sizeof *x);
    cudaMallocManaged(&length, 129 * sizeof *length);
    for (int i = 0; i < 128; i++)
        x[i] = i;
    *length = 0;
    keep_odd<<<4, 32>>>(x, x + 128, length, length + 1, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(length);
    return 0;
}
