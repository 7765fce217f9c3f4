// expect: Error: Race reported between
// expect: access at sum(int*, bool)
// expect: of 4 bytes of __shared__ memory
// errors: 2
// The last steps of a reduction, by one warp: its lanes do not run in step since Volta.
__global__ void sum(int *out, bool together)
{
    __shared__ int t[64];
    t[threadIdx.x] = 1;
    t[threadIdx.x + 32] = 1;
    __syncwarp();
    for (int half = 32; half > 0; half /= 2) {
        int mine = t[threadIdx.x] + t[threadIdx.x + half];
        if (together)
            __syncwarp();
        t[threadIdx.x] = threadIdx.x < half ? mine : t[threadIdx.x];
        if (together)
            __syncwarp();
    }
    if (threadIdx.x == 0)
        *out = t[0];
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    sum<<<1, 32>>>(out, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
