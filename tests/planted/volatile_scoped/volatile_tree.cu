// kind: race
// at: @added
// The old reduction of the last warp: volatile keeps the values in memory, and the lanes in no order.
__global__ void sum(const int *x, int *out, bool bad)
{
    __shared__ int part[64];
    volatile int *last = part;
    const int i = threadIdx.x;
    part[i] = x[i];
    __syncthreads();
    if (i >= 32)
        return;
    for (int half = 32; half > 0; half /= 2) {
        if (bad) {
            if (i < half)
                last[i] = last[i] + last[i + half]; // @added
        } else {
            const int other = i < half ? part[i + half] : 0;
            __syncwarp();
            part[i] += other;
            __syncwarp();
        }
    }
    if (i == 0)
        *out = part[0];
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 65 * sizeof *x);
    for (int i = 0; i < 65; i++)
        x[i] = i;
    sum<<<1, 64>>>(x, x + 64, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[64] == 64 * 63 / 2;
    cudaFree(x);
    return !right;
}
