// expect: kernel spin
// errors: 1
// env: UMSIM_KERNEL_TIMEOUT=1
// What the simulator tells of a kernel that fails counts: one that never ends.
__global__ void spin(volatile int *x)
{
    while (*x)
        ;
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, argc > 1, sizeof *x);
    spin<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
