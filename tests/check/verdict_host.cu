// expect: host code read device memory
// expect: instead  copy it first
// expect: Error: a bad access of the host ends the program
// expect: at main in @bad
// errors: 1
// status: -11
// The host's own bad access ends the program, and counts before.
#include <cstdio>

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    if (argc > 1)
        printf("%d\n", *x); // @bad
    cudaFree(x);
    return 0;
}
