// kind: barrier passed by or kernel ended or kernel failed
// A loop over a thread's own elements has a barrier, and not all threads have the same number of them.
__global__ void smooth(int *x, int n, bool bad)
{
    __shared__ int line[33];
    for (int first = 0; bad ? first + threadIdx.x < n : first < n; first += 32) {
        const int i = first + threadIdx.x;
        line[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        if (i < n && threadIdx.x > 0)
            x[i] = (line[threadIdx.x] + line[threadIdx.x - 1]) / 2;
        __syncthreads();
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 80 * sizeof *x);
    for (int i = 0; i < 80; i++)
        x[i] = i;
    smooth<<<1, 32>>>(x, 80, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
