// expect: Error: Race reported between Read access at sum(int*, bool)
// expect: in @step
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and Write access at sum(int*, bool)
// expect: by thread (1,0,0) in block (0,0,0)
// expect: of 4 bytes of __shared__ memory at 0x4
// A reduction whose barrier stands behind the loop, not in it.
__global__ void sum(int *out, bool barrier)
{
    __shared__ int t[128];
    t[threadIdx.x] = 1;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half)
            t[threadIdx.x] += t[threadIdx.x + half]; // @step
        if (barrier)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = t[0];
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, 2 * sizeof *out);
    sum<<<2, 128>>>(out, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
