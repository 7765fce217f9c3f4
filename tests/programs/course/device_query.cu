// What the device says of itself, as every course's first program prints it.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    cudaDeviceProp prop;
    int count, driver, runtime, bad = 0;

    HANDLE_ERROR(cudaGetDeviceCount(&count));
    HANDLE_ERROR(cudaDriverGetVersion(&driver));
    HANDLE_ERROR(cudaRuntimeGetVersion(&runtime));
    printf("CUDA Driver Version / Runtime Version  %d.%d / %d.%d\n", driver / 1000, (driver % 100) / 10,
           runtime / 1000, (runtime % 100) / 10);
    for (int i = 0; i < count; i++) {
        HANDLE_ERROR(cudaGetDeviceProperties(&prop, i));
        printf("   --- General Information for device %d ---\n", i);
        printf("Name:  %s\n", prop.name);
        printf("Compute capability:  %d.%d\n", prop.major, prop.minor);
        int clockRate, memoryClock;
        HANDLE_ERROR(cudaDeviceGetAttribute(&clockRate, cudaDevAttrClockRate, i));
        HANDLE_ERROR(cudaDeviceGetAttribute(&memoryClock, cudaDevAttrMemoryClockRate, i));
        printf("Clock rate:  %d kHz, memory %d kHz\n", clockRate, memoryClock);
        printf("   --- Memory Information for device %d ---\n", i);
        printf("Total global mem:  %.0f MBytes (%llu bytes)\n", (float)prop.totalGlobalMem / 1048576.0f,
               (unsigned long long)prop.totalGlobalMem);
        printf("Total constant Mem:  %zu\n", prop.totalConstMem);
        printf("Max mem pitch:  %zu\n", prop.memPitch);
        printf("   --- MP Information for device %d ---\n", i);
        printf("Multiprocessor count:  %d\n", prop.multiProcessorCount);
        printf("Shared mem per mp:  %zu\n", prop.sharedMemPerBlock);
        printf("Registers per mp:  %d\n", prop.regsPerBlock);
        printf("Threads in warp:  %d\n", prop.warpSize);
        printf("Max threads per block:  %d\n", prop.maxThreadsPerBlock);
        printf("Max thread dimensions:  (%d, %d, %d)\n", prop.maxThreadsDim[0], prop.maxThreadsDim[1],
               prop.maxThreadsDim[2]);
        printf("Max grid dimensions:  (%d, %d, %d)\n", prop.maxGridSize[0], prop.maxGridSize[1],
               prop.maxGridSize[2]);
        printf("Concurrent kernels: %s, unified addressing: %s, managed memory: %s, ECC: %s\n",
               prop.concurrentKernels ? "Yes" : "No", prop.unifiedAddressing ? "Yes" : "No",
               prop.managedMemory ? "Yes" : "No", prop.ECCEnabled ? "Enabled" : "Disabled");
        bad += prop.warpSize != 32 || prop.maxThreadsPerBlock < 512 || prop.multiProcessorCount < 1;
        bad += prop.maxGridSize[0] != 2147483647 || prop.totalConstMem != 65536;

        int value;
        HANDLE_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, i));
        bad += value != prop.multiProcessorCount;
        HANDLE_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, i));
        bad += value != prop.major;
        HANDLE_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, i));
        bad += value != prop.maxThreadsPerBlock;
        HANDLE_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, i));
        bad += value == cudaComputeModeProhibited;
        size_t free, total;
        HANDLE_ERROR(cudaSetDevice(i));
        HANDLE_ERROR(cudaMemGetInfo(&free, &total));
        bad += free > total || total == 0;
    }

    int dev;
    memset(&prop, 0, sizeof(cudaDeviceProp));
    prop.major = 1;
    prop.minor = 3;
    HANDLE_ERROR(cudaChooseDevice(&dev, &prop));
    HANDLE_ERROR(cudaSetDevice(dev));
    printf("%s\n", count > 0 && bad == 0 ? "Result = PASS" : "Result = FAIL");
    return count > 0 && bad == 0 ? 0 : 1;
}
