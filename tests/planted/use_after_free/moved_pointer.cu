// kind: refused call
// at: @free
// A pointer has walked through its memory, and is freed where it stands.
__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

int main(int argc, char **)
{
    int *all, *part;
    cudaMalloc(&all, 4 * 128);
    part = all;
    for (int i = 0; i < 3; i++, part += 32)
        fill<<<1, 32>>>(part, i);
    cudaDeviceSynchronize();
    cudaFree(argc > 1 ? part : all); // @free
    return 0;
}
