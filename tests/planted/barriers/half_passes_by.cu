// kind: barrier passed by or kernel ended or kernel failed or race
// The barrier is inside the branch of the half that adds; the other half goes to the next barrier.
__global__ void sum(int *x, bool bad)
{
    __shared__ int part[128];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
            if (bad)
                __syncthreads();
        }
        if (!bad)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        x[0] = part[0];
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 128 * sizeof *x);
    for (int i = 0; i < 128; i++)
        x[i] = i;
    sum<<<1, 128>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
