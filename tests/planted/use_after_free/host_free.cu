// kind: host fault or refused call
// Device memory is given to free() of the C library.
#include <cstdlib>

int main(int argc, char **)
{
    float *x;
    cudaMalloc(&x, 4096);
    cudaMemset(x, 0, 4096);
    cudaDeviceSynchronize();
    if (argc > 1)
        free(x);
    else
        cudaFree(x);
    return 0;
}
