// kind: out of bounds
// at: @read
// A buffer of the kernels' heap is made by one kernel, used by another, and freed by a third: too early.
__device__ float *buffer;

__global__ void make(int n)
{
    buffer = new float[n];
    for (int i = 0; i < n; i++)
        buffer[i] = i;
}

__global__ void use(float *out)
{
    out[threadIdx.x] = buffer[threadIdx.x]; // @read
}

__global__ void drop()
{
    delete[] buffer;
}

int main(int argc, char **)
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    make<<<1, 1>>>(32);
    if (argc > 1)
        drop<<<1, 1>>>();
    use<<<1, 32>>>(out);
    if (argc == 1)
        drop<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
