// expect: Leaked 64 bytes at 0x7b0000000000
// expect: allocated by cudaHostAlloc at @made
// expect: cudaFreeHost gives it back
// Pinned memory that a function leaves behind on its way out.
static int work(bool fails)
{
    char *x;
    cudaHostAlloc(&x, 64, cudaHostAllocDefault); // @made
    if (fails)
        return 1;
    cudaFreeHost(x);
    return 0;
}

int main(int argc, char **)
{
    work(argc > 1);
    return 0;
}
