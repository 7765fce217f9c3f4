// expect: Uninitialized __global__ read of size 4 bytes
// expect: on device 1
// env: UMSIM_PROFILE=h200-nvlink2
// Device 1's array is not set, only device 0's is. Each device has a variable of its own, which its own
// kernel adds to: nothing has to put these in order.
__device__ int total;

__global__ void sum(const int *x, int n)
{
    for (int i = 0; i < n; i++)
        total += x[i];
}

int main(int argc, char **)
{
    const int n = 100;
    int *x[2];
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        cudaMalloc(&x[device], n * sizeof *x[0]);
    }
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        if (argc == 1 || device == 0)
            cudaMemset(x[device], 0, n * sizeof *x[0]);
    }
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        sum<<<1, 1>>>(x[device], n);
    }
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        int sum = -1, *where;
        cudaMemcpyFromSymbol(&sum, total, sizeof sum);
        cudaGetSymbolAddress((void **)&where, total);
        ::sum<<<1, 1>>>(where, 1);
        cudaDeviceSynchronize();
        if (sum)
            puts("not 0");
        cudaFree(x[device]);
    }
    return 0;
}
