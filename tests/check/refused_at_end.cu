// errors: 2
// expect: Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaMemcpy
// expect: at main in @bad
// plain: umsim: cudaMemcpy at @bad returned cudaErrorInvalidValue (and 1 call after it), and nobody
// plain: asked for the error: dst is on the host's stack; src is 0x7a0000000000
// plain: The pointers say cudaMemcpyDeviceToHost, and the call says cudaMemcpyHostToDevice
// Nobody looks at the errors. In a plain run one line at the end says so: unless the program asks for its
// last error, ends with another status than 0, or UMSIM_TELL is 0.
#include <cstdlib>
#include <cstring>

int main(int argc, char **argv)
{
    const bool bad = argc > 1, asks = argc > 2 && strcmp(argv[2], "asks") == 0;
    int *x, h[10] = {};
    cudaMalloc(&x, sizeof h);
    cudaMemset(x, 0, sizeof h);
    cudaMemcpy(h, x, sizeof h, bad ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost); // @bad
    if (bad)
        cudaMemset(x, 0, 41);
    if (asks)
        cudaGetLastError();
    cudaFree(x);
    return argc > 2 && strcmp(argv[2], "fails") == 0 ? 3 : 0;
}
