// expect: host code read device memory
// expect: Error: a bad access of the host ends the program
// expect: at fetch(float*, float const*) in @bad
// errors: 1
// status: -11
// The host's bad access in the C library's memcpy() is told with the program's line.
#include <cstdio>
#include <cstring>

static void fetch(float *to, const float *from)
{
    memcpy(to, from, 64); // @bad
}

int main(int argc, char **)
{
    float h[16] = {}, *x;
    cudaMalloc(&x, sizeof h);
    cudaMemset(x, 0, sizeof h);
    if (argc > 1)
        fetch(h, x);
    printf("%g\n", h[0]);
    cudaFree(x);
    return 0;
}
