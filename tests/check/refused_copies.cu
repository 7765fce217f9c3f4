// expect: Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaMemcpy
// expect: at main in @direction
// expect: dst is on the host's stack
// expect: src is 0x7a0000000000, 0 bytes into a 400-byte cudaMalloc allocation made at @made
// expect: The pointers say cudaMemcpyDeviceToHost, and the call says cudaMemcpyHostToDevice
// expect: at main in @address
// expect: Neither is the device's. Only cudaMalloc takes the pointer's own address.
// expect: at main in @large
// expect: 800 bytes from there are 400 too many: the allocation has 400
// expect: at main in @null
// expect: src is NULL
// expect: at main in @freed
// expect: in a 64-byte cudaMalloc allocation that has been freed made at @other
// expect: Program hit cudaErrorInvalidMemcpyDirection (error 21) on CUDA API call to cudaMemcpyAsync
// expect: kind is 7
// expect: Program hit cudaErrorInvalidPitchValue (error 12) on CUDA API call to cudaMemcpy2D
// expect: dpitch is 10 bytes, less than a row's 40
// expect: on CUDA API call to cudaMemset
// expect: 401 bytes from there are 1 too many
// expect: on CUDA API call to cudaMemset
// expect: devPtr is on the host's stack
// expect: Host memory is set by memset.
// errors: 9
// Copies and memsets that are refused: which pointer is wrong, or by how much.
#include <cstddef>

int main(int argc, char **)
{
    const bool bad = argc > 1;
    int *x, *other, h[100] = {};
    cudaMalloc(&x, sizeof h); // @made
    cudaMalloc(&other, 64);   // @other
    cudaMemset(x, 0, sizeof h);
    cudaMemcpy(h, x, sizeof h, bad ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);    // @direction
    cudaMemcpy(bad ? (void *)&x : x, h, 8, cudaMemcpyHostToDevice);                       // @address
    cudaMemcpy(x, h, 100 * (bad ? sizeof(double) : sizeof(int)), cudaMemcpyHostToDevice); // @large
    cudaMemcpy(x, bad ? NULL : h, 4, cudaMemcpyHostToDevice);                             // @null
    cudaFree(other);
    cudaMemcpy(bad ? other : x, h, 4, cudaMemcpyHostToDevice); // @freed
    cudaMemcpyAsync(x, h, 4, bad ? (cudaMemcpyKind)7 : cudaMemcpyDefault, 0);
    cudaMemcpy2D(x, bad ? 10 : 40, h, 40, 40, 10, cudaMemcpyHostToDevice);
    cudaMemset(x, 0, bad ? 401 : 400);
    cudaMemset(bad ? h : x, 0, 4);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
