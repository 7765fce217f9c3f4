// kind: refused call
// at: @call
// A block of 32 x 64 threads has more than the 1024 that a device takes.
__global__ void fill(float *x, int width)
{
    x[threadIdx.y * width + threadIdx.x] = 1;
}

int main(int argc, char **)
{
    float *x;
    const dim3 block(32, argc > 1 ? 64 : 32);
    cudaMalloc(&x, 32 * 64 * sizeof *x);
    fill<<<1, block>>>(x, 32); // @call
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
