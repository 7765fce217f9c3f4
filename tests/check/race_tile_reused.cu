// expect: Error: Race reported between Write access at multiply(float const*, float*, bool)
// expect: in @load
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and Read access at multiply(float const*, float*, bool)
// expect: in @use
// expect: of 4 bytes of __shared__ memory at 0x0
// errors: 2
// A tile that is loaded anew while other threads still use it: the second barrier of the loop is missing.
__global__ void multiply(const float *x, float *out, bool second)
{
    __shared__ float t[8][8];
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        t[threadIdx.y][threadIdx.x] = x[k * 64 + threadIdx.y * 8 + threadIdx.x]; // @load
        __syncthreads();
        for (int i = 0; i < 8; i++)
            sum += t[threadIdx.y][i] * t[i][threadIdx.x]; // @use
        if (second)
            __syncthreads();
    }
    out[threadIdx.y * 8 + threadIdx.x] = sum;
}

int main(int argc, char **)
{
    float *x, *out;
    cudaMalloc(&x, 256 * sizeof *x);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(x, 0, 256 * sizeof *x);
    multiply<<<1, dim3(8, 8)>>>(x, out, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(x);
    return 0;
}
