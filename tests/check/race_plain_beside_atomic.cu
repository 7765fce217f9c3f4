// expect: Error: Race reported between Write access at add(int*, bool)
// expect: in @reset
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and Atomic access at add
// expect: in @add
// expect: by thread (0,0,0) in block (1,0,0)
// Block 0 sets the sum to 0 that all blocks then add to: nothing has the others wait for it.
__global__ void add(int *sum, bool reset)
{
    if (reset && blockIdx.x == 0 && threadIdx.x == 0)
        *sum = 0; // @reset
    __syncthreads();
    atomicAdd(sum, 1); // @add
}

int main(int argc, char **)
{
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    add<<<4, 1>>>(sum, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(sum);
    return 0;
}
