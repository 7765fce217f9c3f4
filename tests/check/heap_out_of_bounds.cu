// expect: Invalid __global__ write of size 4 bytes
// expect: by thread (0,0,0) in block (0,0,0)
// A kernel's own malloc(): past what it was given, and after free().
// umcc: --check=memory
__global__ void scratch(int *out, int bad)
{
    int *x = (int *)malloc(64);
    x[bad ? 16 : 15] = 1;
    *out = x[15];
    free(x);
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    scratch<<<1, 1>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
