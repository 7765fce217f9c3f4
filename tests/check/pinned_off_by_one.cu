// expect: Invalid __global__ write of size 1 bytes
// expect: by thread (10,0,0) in block (0,0,0)
// expect: and is 1 bytes after the nearest allocation at 0x7b0000000000 of size 10 bytes
// expect: allocated by cudaHostAlloc at @made
// Pinned memory, by the byte: a string without room for its end.
__global__ void text(char *x, int n)
{
    if (threadIdx.x < n)
        x[threadIdx.x] = threadIdx.x + 1 == n ? 0 : 'a';
}

int main(int argc, char **)
{
    char *x;
    cudaMallocHost(&x, 10); // @made
    text<<<1, 32>>>(x, argc > 1 ? 11 : 10);
    cudaDeviceSynchronize();
    cudaFreeHost(x);
    return 0;
}
