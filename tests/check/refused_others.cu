// expect: Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaMemcpyToSymbol
// expect: at main in @size
// expect: 32 bytes from offset 0 on are 16 too many: the variable has 16
// expect: Program hit cudaErrorInvalidSymbol (error 13) on CUDA API call to cudaMemcpyToSymbol
// expect: at main in @pointer
// expect: symbol is no __device__, __constant__ or __managed__ variable: it is on the host
// expect: For memory that a pointer leads to, use cudaMemcpy.
// expect: Program hit cudaErrorInvalidMemcpyDirection (error 21) on CUDA API call to cudaMemcpyFromSymbol
// expect: Say cudaMemcpyDeviceToHost
// expect: Program hit cudaErrorMemoryAllocation (error 2) on CUDA API call to cudaMalloc
// expect: which is -4 as a number with a sign
// expect: Program hit cudaErrorMemoryAllocation (error 2) on CUDA API call to cudaMalloc
// expect: 1099511627776 bytes are asked for, and
// expect: Program hit cudaErrorInvalidDevice (error 101) on CUDA API call to cudaSetDevice
// expect: there is no device 3
// expect: on CUDA API call to cudaMemPrefetchAsync
// expect: this call needs managed memory, and the pointer is 0x7a
// expect: on CUDA API call to cudaGetDeviceCount
// expect: count is NULL
// errors: 8
// Symbols, sizes, devices, and memory of another kind.
__constant__ float factors[4];

int main(int argc, char **)
{
    const bool bad = argc > 1;
    const int minus = bad ? -1 : 1;
    float h[8] = {}, *x;
    void *more = nullptr;
    int count;
    cudaMalloc(&x, 32);
    cudaMemset(x, 0, 32);
    cudaMemcpyToSymbol(factors, h, bad ? 32 : 16); // @size
    if (bad)
        cudaMemcpyToSymbol(x, h, 16); // @pointer
    cudaMemcpyFromSymbol(h, factors, 16, 0, bad ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
    cudaMalloc(&more, minus * sizeof(float));
    if (!bad)
        cudaFree(more);
    cudaMalloc(&more, bad ? 1ull << 40 : 1 << 20);
    if (!bad)
        cudaFree(more);
    cudaSetDevice(bad ? 3 : 0);
    if (bad)
        cudaMemPrefetchAsync(x, 32, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0);
    cudaGetDeviceCount(bad ? nullptr : &count);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
