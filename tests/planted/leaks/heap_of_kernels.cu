// kind: leak
// A kernel's own new has no delete: the memory is there until the device is reset.
__global__ void squares(int *out, bool bad)
{
    int *mine = new int[8];
    for (int i = 0; i < 8; i++)
        mine[i] = i * i;
    out[threadIdx.x] = mine[threadIdx.x % 8];
    if (!bad)
        delete[] mine;
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    squares<<<1, 32>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
