// expect: Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaMemcpy
// expect: at main in @bad
// expect: dst is on the host's stack
// A copy to the host that says that it goes to the device.
__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

int main(int argc, char **)
{
    int *x, result[100];
    cudaMalloc(&x, sizeof result);
    fill<<<1, 100>>>(x);
    cudaMemcpy(result, x, sizeof result, argc > 1 ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost); // @bad
    cudaFree(x);
    return 0;
}
