// kind: race
// at: @marked or @seen
// A vote makes the lanes meet, but by CUDA's manual it orders no memory: that is for __syncwarp().
__global__ void neighbours(const int *x, int *out, bool bad)
{
    __shared__ int mark[32];
    const int lane = threadIdx.x;
    mark[lane] = x[lane] + 1; // @marked
    const unsigned above = __ballot_sync(0xffffffff, x[lane] > 5);
    if (!bad)
        __syncwarp();
    out[lane] = mark[(lane + 1) % 32] + __popc(above); // @seen
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    for (int i = 0; i < 32; i++)
        x[i] = i;
    neighbours<<<1, 32>>>(x, x + 32, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
