// kind: refused call or host fault
// at: @copy
// A pinned buffer is given back, and then copied from once more.
int main(int argc, char **)
{
    int *pinned, *x;
    cudaMallocHost(&pinned, 4096);
    cudaMalloc(&x, 4096);
    for (int i = 0; i < 1024; i++)
        pinned[i] = i;
    cudaMemcpy(x, pinned, 4096, cudaMemcpyHostToDevice);
    if (argc > 1)
        cudaFreeHost(pinned);
    cudaMemcpy(x, pinned, 4096, cudaMemcpyHostToDevice); // @copy
    if (argc == 1)
        cudaFreeHost(pinned);
    cudaFree(x);
    return 0;
}
