// kind: race
// at: @leader or @first
// Each warp leaves its sum, the first warp adds them up: other warps may not be there yet.
__global__ void sum(const float *x, float *out, bool bad)
{
    __shared__ float warps[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float mine = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (lane == 0)
        warps[warp] = mine; // @leader
    if (!bad)
        __syncthreads();
    if (warp == 0) {
        float all = lane < 8 ? warps[lane] : 0; // @first
        for (int offset = 4; offset > 0; offset /= 2)
            all += __shfl_down_sync(0xffffffff, all, offset);
        if (lane == 0)
            out[blockIdx.x] = all;
    }
}

int main(int argc, char **)
{
    float *x, *out;
    cudaMallocManaged(&x, 512 * sizeof *x);
    cudaMallocManaged(&out, 2 * sizeof *out);
    for (int i = 0; i < 512; i++)
        x[i] = 1;
    sum<<<2, 256>>>(x, out, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || out[0] + out[1] == 512;
    cudaFree(x);
    cudaFree(out);
    return !right;
}
