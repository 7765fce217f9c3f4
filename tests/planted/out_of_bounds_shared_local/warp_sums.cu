// kind: out of bounds
// at: @warp
// Each warp leaves its sum in shared memory; there is space for four warps, and the block has eight.
template <int WARPS> __global__ void sum(const float *in, float *out)
{
    __shared__ float of_warp[WARPS];
    float mine = in[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = mine; // @warp
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int i = 0; i < WARPS; i++)
            total += of_warp[i];
        *out = total;
    }
}

int main(int argc, char **)
{
    float *in, *out;
    cudaMalloc(&in, 256 * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMemset(in, 0, 256 * sizeof(float));
    if (argc > 1)
        sum<4><<<1, 256>>>(in, out);
    else
        sum<8><<<1, 256>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
