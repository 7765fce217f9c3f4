// expect: Leaked 1000 bytes at 0x7a0000000000
// expect: allocated by cudaMalloc at @made
// expect: LEAK SUMMARY: 1000 bytes leaked in 1 allocation
// Memory that is never freed.
int main(int argc, char **)
{
    char *x, *y;
    cudaMalloc(&x, 1000); // @made
    cudaMalloc(&y, 1000);
    cudaFree(y);
    if (argc == 1)
        cudaFree(x);
    return 0;
}
