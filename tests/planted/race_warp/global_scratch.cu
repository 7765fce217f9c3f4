// kind: race
// at: @saved or @mirrored
// Lanes exchange their values by global memory.
__device__ float scratch[4][32];

__global__ void mirror(float *x, bool bad)
{
    const int lane = threadIdx.x % 32, warp = blockIdx.x * 2 + threadIdx.x / 32;
    scratch[warp][lane] = x[warp * 32 + lane]; // @saved
    if (!bad)
        __syncwarp();
    x[warp * 32 + lane] = scratch[warp][31 - lane]; // @mirrored
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 128 * sizeof *x);
    for (int i = 0; i < 128; i++)
        x[i] = i;
    mirror<<<2, 64>>>(x, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[64] == 95;
    cudaFree(x);
    return !right;
}
