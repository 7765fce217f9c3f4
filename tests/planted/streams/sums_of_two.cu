// kind: race
// at: @added
// Two streams add their images to the same sum.
__global__ void add(float *sum, const float *image, int width)
{
    const int i = (blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] += image[i]; // @added
}

int main(int argc, char **)
{
    const int side = 32;
    float *sum;
    cudaStream_t stream[2];
    cudaMalloc(&sum, 3 * side * side * sizeof *sum);
    cudaMemset(sum, 0, 3 * side * side * sizeof *sum);
    for (auto &s : stream)
        cudaStreamCreate(&s);
    for (int i = 0; i < 2; i++)
        add<<<dim3(4, 4), dim3(8, 8), 0, stream[argc > 1 ? i : 0]>>>(sum, sum + (i + 1) * side * side, side);
    cudaDeviceSynchronize();
    for (auto &s : stream)
        cudaStreamDestroy(s);
    cudaFree(sum);
    return 0;
}
