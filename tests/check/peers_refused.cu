// errors: 3
// expect: Program hit cudaErrorPeerAccessUnsupported (error 217)
// expect: at main in @self
// expect: device 0 is the current one itself
// expect: cudaSetDevice() chooses the one that is to reach peerDevice's memory.
// expect: on CUDA API call to cudaMemset
// expect: as host code or a kernel takes it: each device has such a variable
// expect: cudaMemcpyFromSymbol copy the current device's
// expect: on CUDA API call to cudaMemset
// expect: It is device 0's, and a stream's device fills memory
// env: UMSIM_PROFILE=h200-nvlink2
// Whose access it is, whose variable, whose stream.
__device__ int counter;

int main(int argc, char **)
{
    void *address = &counter, *x;
    cudaMalloc(&x, 64);
    if (argc > 1)
        cudaDeviceEnablePeerAccess(0, 0); // @self
    cudaSetDevice(1);
    if (argc == 1) {
        cudaDeviceEnablePeerAccess(0, 0);
        cudaGetSymbolAddress(&address, counter);
    }
    cudaMemset(address, 0, sizeof counter);
    cudaMemset(x, 0, 64);
    cudaFree(x);
    return 0;
}
