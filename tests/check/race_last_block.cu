// expect: Error: Race reported between Write access at total(float*, unsigned int*, float*, bool)
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and Read access at total(float*, unsigned int*, float*, bool)
// expect: in block (3,0,0)
// expect: of 4 bytes of __global__ memory at 0x7a0000000000
// The last block adds up what all have left: without a fence before the count, it may come too early.
__global__ void total(float *part, unsigned *finished, float *sum, bool fence)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        if (fence)
            __threadfence();
        last = atomicInc(finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x; i++)
            *sum += part[i];
}

int main(int argc, char **)
{
    float *part, *sum;
    unsigned *finished;
    cudaMalloc(&part, 4 * sizeof *part);
    cudaMalloc(&finished, sizeof *finished);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(finished, 0, sizeof *finished);
    cudaMemset(sum, 0, sizeof *sum);
    total<<<4, 32>>>(part, finished, sum, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(sum);
    cudaFree(finished);
    cudaFree(part);
    return 0;
}
