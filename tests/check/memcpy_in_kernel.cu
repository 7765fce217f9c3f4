// expect: Invalid __global__ write of size 100 bytes
// expect: by thread (1,0,0) in block (0,0,0)
// expect: and its last 10 bytes are after the nearest allocation at 0x7a0000000000 of size 190 bytes
// memcpy() in a kernel.
__global__ void repeat(char *to, const char *from, int n)
{
    if (threadIdx.x < n)
        memcpy(to + threadIdx.x * 100, from, 100);
}

int main(int argc, char **)
{
    char *to, *from;
    cudaMalloc(&to, 190);
    cudaMalloc(&from, 100);
    cudaMemset(from, 1, 100);
    repeat<<<1, 32>>>(to, from, argc > 1 ? 2 : 1);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(to);
    return 0;
}
