// expect: Leaked 4096 bytes at 0x7c0000000000
// expect: allocated by cudaMallocManaged at @made
// Managed memory that is never freed; its pointer is overwritten.
int main(int argc, char **)
{
    char *x;
    cudaMallocManaged(&x, 4096); // @made
    x[0] = 1;
    if (argc == 1)
        cudaFree(x);
    cudaMallocManaged(&x, 64);
    cudaFree(x);
    return 0;
}
