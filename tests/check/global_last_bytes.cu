// expect: Invalid __global__ write of size 4 bytes
// expect: by thread (25,0,0) in block (0,0,0)
// expect: and its last 2 bytes are after the nearest allocation at 0x7a0000000000 of size 102 bytes
// The last element begins inside the allocation and ends outside.
__global__ void fill(int *x, int n)
{
    if (threadIdx.x < n)
        x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 102);
    fill<<<1, 32>>>(x, argc > 1 ? 26 : 25);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
