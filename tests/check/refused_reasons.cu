// errors: 14
// expect: on CUDA API call to cudaDeviceEnablePeerAccess
// expect: peer access is between two devices, and this machine has one
// expect: on CUDA API call to cudaDeviceCanAccessPeer
// expect: there is no device 5
// expect: on CUDA API call to cudaDeviceGetPCIBusId
// expect: there is no device 7
// expect: on CUDA API call to cudaMemPrefetchAsync
// expect: there is no device 9
// expect: on CUDA API call to cudaMemPrefetchAsync
// expect: 5000 bytes from there are 904 too many
// expect: on CUDA API call to cudaMemAdvise
// expect: advice is 99
// expect: on CUDA API call to cudaHostRegister
// expect: flags is 9999
// expect: on CUDA API call to cudaMallocPitch
// expect: of the device's
// expect: on CUDA API call to cudaMallocHost
// expect: 70368744177664 bytes of pinned memory are more than there is room for
// expect: on CUDA API call to cudaMemcpy
// expect: 400 bytes from there are 200 too many: the allocation has 200 left
// expect: on CUDA API call to cudaMemcpy
// expect: which is -4 as a number with a sign
// expect: on CUDA API call to cudaMemcpyFromSymbol
// expect: kind is 8
// expect: on CUDA API call to cudaFuncSetAttribute
// expect: func is kernel fill, attr is 8, value is 1048576
// expect: on CUDA API call to cudaLaunchKernel
// expect: func is no __global__ function: it is in the host program's code
// Refusals with several arguments of which one is wrong: the message is about that one.
#include <cstdlib>

__constant__ int factors[4];

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    if (argc == 1)
        return 0;
    int *device, *managed, host[100], answer;
    char name[64], *pages = (char *)aligned_alloc(4096, 4096);
    void *more;
    size_t pitch;
    const cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, elsewhere = {cudaMemLocationTypeDevice, 9};
    cudaMalloc(&device, sizeof host);
    cudaMallocManaged(&managed, 4096);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaDeviceCanAccessPeer(&answer, 0, 5);
    cudaDeviceGetPCIBusId(name, 13, 7);
    cudaMemPrefetchAsync(managed, 4096, elsewhere, 0, 0);
    cudaMemPrefetchAsync(managed, 5000, here, 0, 0);
    cudaMemAdvise(managed, 4096, (cudaMemoryAdvise)99, here);
    cudaHostRegister(pages, 4096, 9999);
    cudaMallocPitch(&more, &pitch, 1ull << 30, 1ull << 20);
    cudaMallocHost(&more, 1ull << 46);
    cudaMemcpy(device + 50, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(device, host, (size_t)-4, cudaMemcpyHostToDevice);
    cudaMemcpyFromSymbol(host, factors, 16, 0, (cudaMemcpyKind)8);
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);
    cudaLaunchKernel((void *)main, 1, 1, nullptr, 0, 0);
    cudaFree(device);
    cudaFree(managed);
    free(pages);
    return 0;
}
