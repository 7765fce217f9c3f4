// kind: barrier passed by or kernel ended or kernel failed or race
// A device function has a barrier of the block, and is called by the first warp only.
__device__ int add_up(int *part, int n)
{
    for (int half = n / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    return part[0];
}

__global__ void sum(const int *x, int *out, bool bad)
{
    __shared__ int part[128];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    int result = 0;
    if (!bad || threadIdx.x < 32)
        result = add_up(part, 32);
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x] + result;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 256 * sizeof *x);
    for (int i = 0; i < 128; i++)
        x[i] = i;
    sum<<<1, 128>>>(x, x + 128, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
