// kind: race or uninitialised
// at: @stored or @crossed
// Each half of a warp waits for itself, and then reads what the other half has stored.
__global__ void cross(const unsigned *x, unsigned *out, bool bad)
{
    __shared__ unsigned value[32];
    const unsigned lane = threadIdx.x;
    value[lane] = x[lane] * 3; // @stored
    const unsigned half = lane < 16 ? 0x0000ffff : 0xffff0000;
    __syncwarp(bad ? half : 0xffffffff);
    out[lane] = value[lane ^ 16]; // @crossed
}

int main(int argc, char **)
{
    unsigned *x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    for (int i = 0; i < 32; i++)
        x[i] = i;
    cross<<<1, 32>>>(x, x + 32, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[32] == 48;
    cudaFree(x);
    return !right;
}
