// kind: kernel ended or kernel failed
// Each warp has its own work in a switch, and its own barrier there.
struct Work {
    int loaded[32], scaled[32], sum;
};

__global__ void pipeline(const int *x, int *out, bool bad)
{
    __shared__ Work work;
    const int lane = threadIdx.x;
    switch (threadIdx.y) {
    case 0:
        work.loaded[lane] = x[lane];
        if (bad)
            __syncthreads();
        break;
    default:
        work.scaled[lane] = x[lane] * 3;
        if (bad)
            __syncthreads();
        break;
    }
    if (!bad)
        __syncthreads();
    out[threadIdx.y * 32 + lane] = work.loaded[31 - lane] + work.scaled[31 - lane];
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 96 * sizeof *x);
    for (int i = 0; i < 96; i++)
        x[i] = i;
    pipeline<<<1, dim3(32, 2)>>>(x, x + 32, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
