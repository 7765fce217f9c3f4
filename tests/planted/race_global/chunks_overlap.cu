// kind: race
// at: @scaled
// Each block scales a chunk of its own. With <= the last value of a chunk is also the next one's first.
__global__ void scale(float *x, int n, int chunk, bool bad)
{
    const int first = blockIdx.x * chunk, end = min(n, first + chunk + bad);
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        x[i] *= 1.5f; // @scaled
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 1000 * sizeof *x);
    for (int i = 0; i < 1000; i++)
        x[i] = i;
    scale<<<5, 64>>>(x, 1000, 200, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[200] == 300;
    cudaFree(x);
    return !right;
}
