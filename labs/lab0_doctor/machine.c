/**
 * @file machine.c
 * @brief Implementation of machine.h: prints what is known about the machine, section by section.
 */
#include <unistd.h>

#include "devices.h"
#include "machine.h"

/* An attribute, and what it means for the labs when it is 0, and when it is not. */
struct attribute_meaning {
    enum cudaDeviceAttr attribute;
    const char *name, *zero, *otherwise;
};

static const struct attribute_meaning attributes[] = {
    {cudaDevAttrUnifiedAddressing, "unifiedAddressing",
     "host and device number their memory apart: cudaMemcpyDefault cannot tell which is which",
     "one number never means two things: a pointer says whose it is (lab2)"},
    {cudaDevAttrPageableMemoryAccess, "pageableMemoryAccess",
     "a kernel that follows malloc's pointer fails with cudaErrorIllegalAddress (lab2)",
     "kernels may follow malloc's pointers (HMM or ATS): lab2 skips that fault"},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, "pageableMemoryAccessUsesHostPageTables",
     "the GPU has page tables of its own", "the GPU walks the host's page tables (ATS)"},
    {cudaDevAttrHostRegisterSupported, "hostRegisterSupported",
     "malloc's memory cannot be pinned afterwards: labs 3 and 4 skip it",
     "malloc's memory can be pinned afterwards (lab3, lab4)"},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, "canUseHostPointerForRegisteredMem",
     "... and kernels get another address for it: cudaHostGetDevicePointer gives that",
     "... and kernels use the address that malloc gave"},
    {cudaDevAttrCanMapHostMemory, "canMapHostMemory",
     "kernels cannot read host memory in place: lab4 skips it",
     "kernels can read pinned host memory in place, over the bus (lab4)"},
    {cudaDevAttrHostNativeAtomicSupported, "hostNativeAtomicSupported",
     "a kernel's atomics on host memory are not atomic to the host's threads",
     "a kernel's atomics on host memory are atomic to the host's threads, too"},
    {cudaDevAttrManagedMemory, "managedMemory", "no cudaMallocManaged: labs 5 and 6 cannot run",
     "cudaMallocManaged gives memory that host and kernels may use (lab5)"},
    {cudaDevAttrConcurrentManagedAccess, "concurrentManagedAccess",
     "while a kernel runs the host must not touch any of it, and there is no prefetch: labs 5 and 6 skip "
     "parts",
     "... at the same time, and its pages move to whoever touches them (lab5, lab6)"},
    {cudaDevAttrDirectManagedMemAccessFromHost, "directManagedMemAccessFromHost",
     "the host's touch of managed pages on the GPU moves them (lab5)",
     "the host reads managed pages on the GPU in place: fewer faults than lab5 says"},
    {cudaDevAttrAsyncEngineCount, "asyncEngineCount", "copies and kernels take turns: lab3 shows no overlap",
     "copy engines: copies run beside kernels (lab3), from 2 on in both directions at once"},
    {cudaDevAttrMemoryPoolsSupported, "memoryPoolsSupported", "no cudaMallocAsync",
     "cudaMallocAsync takes memory from a pool, in stream order"},
};

/* The toolkit's compiler, found as make finds it. "" when there is none. */
static const char *find_nvcc(char *path, size_t size)
{
    const char *home = getenv("CUDA_HOME"), *folders = getenv("PATH");

    if (home && home[0] != '\0') {
        snprintf(path, size, "%s/bin/nvcc", home);
        return access(path, X_OK) == 0 ? path : "";
    }
    while (folders && folders[0] != '\0') {
        const size_t length = strcspn(folders, ":");

        snprintf(path, size, "%.*s/nvcc", (int)length, folders);
        if (length > 0 && access(path, X_OK) == 0)
            return path;
        folders += length + (folders[length] == ':');
    }
    snprintf(path, size, "/usr/local/cuda/bin/nvcc");
    return access(path, X_OK) == 0 ? path : "";
}

/* Prints which backend this is, and which others could be built. */
static void report_backend(FILE *out)
{
    char path[1024];
    const char *nvcc = find_nvcc(path, sizeof path);
    const bool driver = access("/proc/driver/nvidia/version", R_OK) == 0;

    fprintf(out, "backend   %s, because this program was built for it; times are %s\n", um_backend_name(),
            um_times());
    if (!um_is_sim())
        return;
    um_print(out, 10, "          here: nvcc %s, NVIDIA's driver %s; so %s\n",
             nvcc[0] != '\0' ? nvcc : "not found", driver ? "loaded" : "not loaded",
             nvcc[0] != '\0' && driver ? "BACKEND=cuda can run the labs on the GPU"
             : nvcc[0] != '\0'         ? "BACKEND=cuda builds, and finds no GPU to run on"
             : driver                  ? "BACKEND=cuda needs the CUDA toolkit (or CUDA_HOME)"
                                       : "the simulator is the way to run the labs");
}

static double host_memory(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* The fastest that device memory could be: two transfers a clock on each line of its bus. */
static double peak_gbs(void)
{
    const double khz = um_attribute(cudaDevAttrMemoryClockRate, 0, 0);

    return 2 * khz * 1e3 * um_attribute(cudaDevAttrGlobalMemoryBusWidth, 0, 0) / 8 / 1e9;
}

static void report_device(FILE *out)
{
    const struct um_device *device = um_device();
    char total[UM_SIZE_TEXT], l2[UM_SIZE_TEXT], host[UM_SIZE_TEXT], page[UM_SIZE_TEXT];
    size_t free_bytes = 0, all_bytes = 0;
    char unused[UM_SIZE_TEXT], peak[48] = "";
    int supported = 0;

    (void)cudaDriverGetVersion(&supported);
    (void)cudaMemGetInfo(&free_bytes, &all_bytes);
    um_print(out, 10, "device    %s, compute capability %d.%d, %d multiprocessors%s%s\n", device->name,
             um_attribute(cudaDevAttrComputeCapabilityMajor, 0, 0),
             um_attribute(cudaDevAttrComputeCapabilityMinor, 0, 0), device->multiprocessors,
             um_is_sim() ? "; profile " : "", device->profile);
    fprintf(out, "CUDA      runtime %d.%d, driver %s%sfor CUDA up to %d.%d\n", device->runtime / 1000,
            device->runtime % 1000 / 10, device->driver, device->driver[0] != '\0' ? " " : "",
            supported / 1000, supported % 1000 / 10);
    if (peak_gbs() > 0)
        snprintf(peak, sizeof peak, ", at most %.0f GB/s (clock times bus)", peak_gbs());
    um_print(out, 10, "memory    %s on the device, %s of it free; L2 cache %s%s",
             um_size_text((double)device->total_bytes, total), um_size_text((double)free_bytes, unused),
             um_size_text(um_attribute(cudaDevAttrL2CacheSize, 0, 0), l2), peak);
    fprintf(out, "\n          %s on the host, in pages of %s\n\n", um_size_text(host_memory(), host),
            um_size_text((double)sysconf(_SC_PAGESIZE), page));
}

static void report_attributes(FILE *out)
{
    fprintf(out, "%-38s  value  for the labs\n", "attribute");
    for (size_t i = 0; i < UM_COUNT(attributes); i++) {
        const int value = um_attribute(attributes[i].attribute, 0, -1);
        const char *meaning = value == 0 ? attributes[i].zero : attributes[i].otherwise;

        um_print(out, 47, "%-38s  %5d  %s\n", attributes[i].name, value,
                 value < 0 ? "this runtime does not know it" : meaning);
    }
    fprintf(out, "\n");
}

/* Bytes of each trial allocation. */
#define TRIAL_BYTES ((size_t)64 << 10)

static cudaError_t try_device(void)
{
    void *p = NULL;
    const cudaError_t error = cudaMalloc(&p, TRIAL_BYTES);

    return error == cudaSuccess ? cudaFree(p) : error;
}

static cudaError_t try_host(unsigned flags)
{
    void *p = NULL;
    const cudaError_t error = cudaHostAlloc(&p, TRIAL_BYTES, flags);

    return error == cudaSuccess ? cudaFreeHost(p) : error;
}

static cudaError_t try_pinned(void)
{
    return try_host(cudaHostAllocDefault);
}

static cudaError_t try_mapped(void)
{
    return try_host(cudaHostAllocMapped);
}

static cudaError_t try_write_combined(void)
{
    return try_host(cudaHostAllocWriteCombined);
}

static cudaError_t try_registered(void)
{
    void *p = malloc(TRIAL_BYTES);
    cudaError_t error =
        p ? cudaHostRegister(p, TRIAL_BYTES, cudaHostRegisterDefault) : cudaErrorMemoryAllocation;

    if (error == cudaSuccess)
        error = cudaHostUnregister(p);
    free(p);
    return error;
}

static cudaError_t try_managed(void)
{
    void *p = NULL;
    const cudaError_t error = cudaMallocManaged(&p, TRIAL_BYTES, cudaMemAttachGlobal);

    return error == cudaSuccess ? cudaFree(p) : error;
}

static cudaError_t try_pool(void)
{
    void *p = NULL;
    cudaError_t error = cudaMallocAsync(&p, TRIAL_BYTES, 0);

    if (error == cudaSuccess)
        error = cudaFreeAsync(p, 0);
    return error == cudaSuccess ? cudaStreamSynchronize(0) : error;
}

/* The kinds of memory, and how each is made. */
static const struct {
    const char *name, *call;
    cudaError_t (*make)(void);
} memory_kinds[] = {
    {"device", "cudaMalloc", try_device},
    {"pinned", "cudaMallocHost, cudaHostAlloc", try_pinned},
    {"mapped", "cudaHostAlloc, cudaHostAllocMapped", try_mapped},
    {"write-combined", "cudaHostAlloc, cudaHostAllocWriteCombined", try_write_combined},
    {"registered", "cudaHostRegister", try_registered},
    {"managed", "cudaMallocManaged", try_managed},
    {"stream-ordered", "cudaMallocAsync", try_pool},
};

static void report_kinds(FILE *out)
{
    fprintf(out, "%-14s  %-41s  here (64 KiB of it, tried)\n", "memory", "made by");
    for (size_t i = 0; i < UM_COUNT(memory_kinds); i++) {
        const cudaError_t error = memory_kinds[i].make();

        if (error != cudaSuccess)
            (void)cudaGetLastError(); /* the question is no failure: clear its error */
        fprintf(out, "%-14s  %-41s  %s%s\n", memory_kinds[i].name, memory_kinds[i].call,
                error == cudaSuccess ? "yes" : "no: ", error == cudaSuccess ? "" : cudaGetErrorName(error));
    }
    if (!um_is_sim())
        fprintf(out,
                "The labs take at most a quarter of the free device memory as managed memory: asking a card\n"
                "for more than it has can hang it.\n");
    fprintf(out, "\n");
}

void report_machine(FILE *out)
{
    report_backend(out);
    report_device(out);
    report_attributes(out);
    report_kinds(out);
    report_devices(out);
}
