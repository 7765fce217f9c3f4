// kind: barrier passed by or kernel ended or kernel failed
// Two branches have a barrier each: these are two barriers, and each half waits at its own.
template <bool Bad> __global__ void halves(double *x)
{
    __shared__ double line[64];
    if (threadIdx.x < 32) {
        line[threadIdx.x] = x[threadIdx.x] * 2;
        if (Bad)
            __syncthreads();
    } else {
        line[threadIdx.x] = x[threadIdx.x] / 2;
        if (Bad)
            __syncthreads();
    }
    if (!Bad)
        __syncthreads();
    x[threadIdx.x] = line[63 - threadIdx.x];
}

int main(int argc, char **)
{
    double *x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    for (int i = 0; i < 64; i++)
        x[i] = i;
    if (argc > 1)
        halves<true><<<1, 64>>>(x);
    else
        halves<false><<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
