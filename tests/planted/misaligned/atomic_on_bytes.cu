// kind: misaligned or kernel failed
// A counter of 32 bits is kept behind a name of ten letters.
__global__ void count(unsigned char *entry, int offset)
{
    atomicAdd((unsigned *)(entry + offset), 1u);
}

int main(int argc, char **)
{
    unsigned char *entry;
    cudaMalloc(&entry, 16);
    cudaMemset(entry, 0, 16);
    count<<<2, 32>>>(entry, argc > 1 ? 10 : 12);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(entry);
    return 0;
}
