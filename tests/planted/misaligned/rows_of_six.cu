// kind: misaligned
// at: @row
// Rows of six floats are loaded by four and two: each second row begins at half of a float4.
__global__ void load(const float *rows, float *sum, int pitch)
{
    const float *row = rows + threadIdx.x * pitch;
    const float4 a = *(const float4 *)row; // @row
    const float2 b = *(const float2 *)(row + 4);
    sum[threadIdx.x] = a.x + a.y + a.z + a.w + b.x + b.y;
}

int main(int argc, char **)
{
    float *rows, *sum;
    cudaMalloc(&rows, 32 * 8 * sizeof *rows);
    cudaMalloc(&sum, 32 * sizeof *sum);
    cudaMemset(rows, 0, 32 * 8 * sizeof *rows);
    load<<<1, 32>>>(rows, sum, argc > 1 ? 6 : 8);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(rows);
    cudaFree(sum);
    return 0;
}
