/**
 * @file um_backend.c
 * @brief Implementation of um_backend.h: finds the device, reads its attributes, and limits what a lab may
 * allocate.
 */
#include "um_backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime_api.h>

#include "um_check.h"
#include "um_cuda_compat.h"
#include "um_options.h"

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

/** On a real card a program may allocate as managed memory the free device memory divided by this. */
#define MANAGED_PART 4

static struct um_device device;

bool um_is_sim(void)
{
#ifdef UMLAB_SIM
    return true;
#else
    return false;
#endif
}

const char *um_backend_name(void)
{
    return um_is_sim() ? "sim" : "cuda";
}

const char *um_times(void)
{
    return um_is_sim() ? "modelled" : "measured";
}

const char *um_device_label(void)
{
    return um_is_sim() ? device.profile : device.name;
}

const struct um_device *um_device(void)
{
    return &device;
}

/* The kernel module gives its version here; cudaDriverGetVersion() gives only the CUDA version that it
 * supports. */
static void read_driver_version(void)
{
#ifdef UMLAB_CUDA
    FILE *file = fopen("/sys/module/nvidia/version", "re");

    if (!file)
        return;
    if (!fgets(device.driver, sizeof device.driver, file))
        device.driver[0] = '\0';
    device.driver[strcspn(device.driver, "\n")] = '\0';
    fclose(file);
#endif
}

static void read_device(const struct cudaDeviceProp *properties)
{
    snprintf(device.name, sizeof device.name, "%.255s", properties->name);
#ifdef UMLAB_SIM
    snprintf(device.profile, sizeof device.profile, "%s", umsim_profile_name());
#endif
    read_driver_version();
    (void)cudaRuntimeGetVersion(&device.runtime);
    device.total_bytes = properties->totalGlobalMem;
    device.multiprocessors = properties->multiProcessorCount;
    device.async_engines = um_attribute(cudaDevAttrAsyncEngineCount, 0, 0);
    device.managed = um_attribute(cudaDevAttrManagedMemory, 0, 0) != 0;
    device.concurrent_managed = um_attribute(cudaDevAttrConcurrentManagedAccess, 0, 0) != 0;
    device.pageable_access = um_attribute(cudaDevAttrPageableMemoryAccess, 0, 0) != 0;
    device.can_map_host = um_attribute(cudaDevAttrCanMapHostMemory, 0, 0) != 0;
    device.host_register = um_attribute(cudaDevAttrHostRegisterSupported, 0, 0) != 0;
    device.unified_addressing = um_attribute(cudaDevAttrUnifiedAddressing, 0, 0) != 0;
}

int um_device_ready(const char *program)
{
    struct cudaDeviceProp properties;
    int count = 0;
    cudaError_t error;

    /* Otherwise a kernel's first launch loads it: on an H200 that put 100 us into the first row's kernel
     * phase. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaSetDevice(0);
    if (error == cudaSuccess)
        error = cudaFree(NULL); /* starts the runtime, and does nothing else */
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: cannot run here: %s (%s)%s\n", program, um_hint(error), cudaGetErrorName(error),
                um_is_sim() ? "" : "; make BACKEND=sim runs it without a GPU");
        return UM_EXIT_CANNOT;
    }
    read_device(&properties);
    return -1;
}

/* Memory of this machine that is available without swapping; 0 when the kernel does not say. */
static double host_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "re");
    char line[128];
    double kib = 0;

    if (!file)
        return 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1)
            break;
    }
    fclose(file);
    return kib * 1024;
}

static int too_large(const char *program, double bytes, const char *of, double free_bytes)
{
    char needed[UM_SIZE_TEXT], available[UM_SIZE_TEXT];

    fprintf(stderr, "%s: this --size needs %s of %s, and %s are free\n", program, um_size_text(bytes, needed),
            of, um_size_text(free_bytes, available));
    return UM_EXIT_CANNOT;
}

int um_size_fits(const char *program, double device_bytes, double host_bytes)
{
    const double host_free = host_memory_available();
    size_t device_free = 0, total = 0;

    if (!UM_CHECK(cudaMemGetInfo(&device_free, &total)))
        return UM_EXIT_CANNOT;
    if (device_bytes > (double)device_free)
        return too_large(program, device_bytes, "device memory", (double)device_free);
    if (um_is_sim())
        host_bytes += device_bytes; /* the simulated card's memory is this machine's, too */
    if (host_free > 0 && host_bytes > host_free)
        return too_large(program, host_bytes,
                         um_is_sim() ? "this machine's memory, the simulated card's with it" : "host memory",
                         host_free);
    return -1;
}

bool um_managed_allowed(size_t bytes)
{
    char asked[UM_SIZE_TEXT], available[UM_SIZE_TEXT];
    size_t device_free = 0, total = 0;

    if (um_is_sim())
        return true;
    if (!UM_CHECK(cudaMemGetInfo(&device_free, &total)))
        return false;
    if (bytes <= device_free / MANAGED_PART)
        return true;
    fprintf(stderr,
            "%s of managed memory are more than a quarter of the %s that are free on this card: too much can "
            "hang a real one, so ask for less, or use BACKEND=sim\n",
            um_size_text((double)bytes, asked), um_size_text((double)device_free, available));
    return false;
}
