// kind: leak
// at: @made
// A buffer is allocated in each turn of a loop, and freed once after it.
__global__ void step(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x] / 2;
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    float *x, *next = nullptr;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMemset(x, 0, 32 * sizeof *x);
    for (int turn = 0; turn < 4; turn++) {
        if (bad || turn == 0)
            cudaMalloc(&next, 32 * sizeof *next); // @made
        step<<<1, 32>>>(x, next);
        cudaMemcpy(x, next, 32 * sizeof *x, cudaMemcpyDeviceToDevice);
    }
    cudaDeviceSynchronize();
    cudaFree(next);
    cudaFree(x);
    return 0;
}
