// kind: misaligned
// at: @vector
// A tile has one more column against bank conflicts, and its rows are then read by two floats at a time.
template <int PITCH> __global__ void mirror(const float *in, float *out)
{
    __shared__ __align__(16) float tile[16][PITCH];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 8) {
        const float2 v = *(const float2 *)&tile[15 - threadIdx.y][2 * threadIdx.x]; // @vector
        out[threadIdx.y * 16 + 2 * threadIdx.x] = v.y;
        out[threadIdx.y * 16 + 2 * threadIdx.x + 1] = v.x;
    }
}

int main(int argc, char **)
{
    float *in, *out;
    cudaMalloc(&in, 256 * sizeof *in);
    cudaMalloc(&out, 256 * sizeof *out);
    cudaMemset(in, 0, 256 * sizeof *in);
    if (argc > 1)
        mirror<17><<<1, dim3(16, 16)>>>(in, out);
    else
        mirror<18><<<1, dim3(16, 16)>>>(in, out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(in);
    cudaFree(out);
    return 0;
}
