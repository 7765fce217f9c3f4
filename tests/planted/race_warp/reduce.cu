// kind: race
// at: @added
// A warp's tree of sums: lanes need not run in step, so each step needs its __syncwarp().
__global__ void sum(const int *x, int *out, bool bad)
{
    __shared__ int part[64];
    const int i = threadIdx.x, lane = i % 32;
    part[i] = x[i];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half)
            part[i] += part[i + half]; // @added
        if (!bad)
            __syncwarp();
    }
    if (lane == 0)
        out[i / 32] = part[i];
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 66 * sizeof *x);
    for (int i = 0; i < 64; i++)
        x[i] = i;
    sum<<<1, 64>>>(x, x + 64, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[64] + x[65] == 32 * 63;
    cudaFree(x);
    return !right;
}
