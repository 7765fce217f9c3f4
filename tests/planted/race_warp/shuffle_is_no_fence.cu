// kind: race
// at: @filled or @summed
// A shuffle hands a register over and orders no memory: by CUDA's manual __syncwarp() is still needed.
__global__ void share(const double *x, double *out, bool bad)
{
    __shared__ double part[64];
    const int i = threadIdx.x, first = i / 32 * 32;
    part[i] = x[i] * x[i]; // @filled
    const double largest = __shfl_sync(0xffffffff, x[i], 31);
    if (!bad)
        __syncwarp();
    double sum = 0;
    for (int k = 0; k < 32; k += 4)
        sum += part[first + (i + k) % 32]; // @summed
    out[i] = sum / largest;
}

int main(int argc, char **)
{
    double *x;
    cudaMallocManaged(&x, 128 * sizeof *x);
    for (int i = 0; i < 64; i++)
        x[i] = i + 1;
    share<<<1, 64>>>(x, x + 64, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
