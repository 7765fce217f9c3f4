// kind: refused call
// at: @back
// All is freed first, and then the result is copied to the host.
__global__ void square(float *x)
{
    x[threadIdx.x] *= x[threadIdx.x];
}

int main(int argc, char **)
{
    float h[32] = {1, 2, 3}, *x;
    cudaMalloc(&x, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    square<<<1, 32>>>(x);
    if (argc > 1)
        cudaFree(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost); // @back
    if (argc == 1)
        cudaFree(x);
    return 0;
}
