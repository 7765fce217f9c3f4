// kind: race
// missed: volatile reads and writes count as atomics
// at: @counted
// volatile makes neither reading nor adding one step: two blocks may read the same number.
__global__ void count(const int *x, volatile int *positive, bool bad)
{
    if (x[blockIdx.x * blockDim.x + threadIdx.x] <= 0)
        return;
    if (bad)
        *positive = *positive + 1; // @counted
    else
        atomicAdd(const_cast<int *>(positive), 1);
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 129 * sizeof *x);
    for (int i = 0; i < 129; i++)
        x[i] = i < 128 ? i % 4 - 1 : 0;
    count<<<4, 32>>>(x, x + 128, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[128] == 64;
    cudaFree(x);
    return !right;
}
