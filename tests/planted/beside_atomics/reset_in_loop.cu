// kind: race
// at: @reset or @voted
// A block's counter is reset plainly for each row, while the others may count already.
__global__ void positive(const float *m, int width, int rows, int *out, bool bad)
{
    __shared__ int count;
    for (int row = 0; row < rows; row++) {
        if (threadIdx.x == 0)
            count = 0; // @reset
        if (!bad)
            __syncthreads();
        if (m[row * width + threadIdx.x] > 0)
            atomicAdd(&count, 1); // @voted
        __syncthreads();
        if (threadIdx.x == 0)
            out[row] = count;
        __syncthreads();
    }
}

int main(int argc, char **)
{
    float *m;
    int *out;
    cudaMallocManaged(&m, 5 * 96 * sizeof *m);
    cudaMallocManaged(&out, 5 * sizeof *out);
    for (int i = 0; i < 5 * 96; i++)
        m[i] = i % 4 - 1;
    positive<<<1, 96>>>(m, 96, 5, out, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || out[4] == 48;
    cudaFree(m);
    cudaFree(out);
    return !right;
}
