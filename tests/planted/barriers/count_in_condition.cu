// kind: kernel ended or kernel failed or barrier passed by
// __syncthreads_count() behind && is a barrier that only some threads come to; the others are at the next
// one.
__global__ void occupied(const int *x, int *out, bool bad)
{
    const int mine = x[blockIdx.x * blockDim.x + threadIdx.x];
    int all = 0;
    if (bad) {
        if (mine > 3 && __syncthreads_count(mine > 5) > 2)
            all = 1;
    } else {
        all = __syncthreads_count(mine > 5) > 2;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 256 * sizeof *x);
    for (int i = 0; i < 256; i++)
        x[i] = i % 8;
    occupied<<<2, 64>>>(x, x + 128, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
