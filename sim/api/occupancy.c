/**
 * @file occupancy.c
 * @brief Attributes of a kernel, and how many of its blocks a multiprocessor holds (CUDA Runtime API,
 * Execution Control; Occupancy).
 *
 * umcc compiles kernels for the host's processor. So it is not known how many registers and how much local
 * memory nvcc would give them, and their static shared memory is not known before a launch. These are
 * reported as 0. Occupancy is computed from threads, blocks and dynamic shared memory alone, so it is an
 * upper bound of what a GPU's registers may allow.
 */
#include "occupancy.h"
#include "runtime.h"
#include "../space/modules.h"
#include "../base/machine.h"

#include <stdlib.h>

/* What the program has set for a kernel on a device; what is not in the list has the defaults. */
struct settings {
    const void *function;
    unsigned device;
    const struct umsim_kernel *record; /* the record by which launches name the kernel */
    int max_dynamic, carveout;
    struct settings *next;
};

static struct settings *all_settings;

static struct settings settings_of(const void *function)
{
    for (const struct settings *it = all_settings; it; it = it->next)
        if (it->function == function && it->device == umsim_device())
            return *it;
    return (struct settings){function,
                             umsim_device(),
                             umsim_kernel_record(function, NULL),
                             (int)umsim_machine_of(umsim_device())->attributes.max_shared_memory_per_block,
                             cudaSharedmemCarveoutDefault,
                             NULL};
}

static cudaError_t keep_settings(const struct settings *settings)
{
    for (struct settings *it = all_settings; it; it = it->next)
        if (it->function == settings->function && it->device == settings->device) {
            it->max_dynamic = settings->max_dynamic;
            it->carveout = settings->carveout;
            return cudaSuccess;
        }
    struct settings *it = malloc(sizeof *it);
    if (!it)
        return cudaErrorMemoryAllocation;
    *it = *settings;
    it->next = all_settings;
    all_settings = it;
    return cudaSuccess;
}

void umsim_kernels_forget(const struct umsim_library *library)
{
    for (struct settings **link = &all_settings; *link;) {
        struct settings *it = *link;
        if ((uintptr_t)it->function - library->start >= library->end - library->start) {
            link = &it->next;
            continue;
        }
        *link = it->next;
        free(it);
    }
}

size_t umsim_dynamic_shared_limit(unsigned device, const struct umsim_kernel *record)
{
    for (const struct settings *it = all_settings; it; it = it->next)
        if (it->record == record && it->device == device)
            return (size_t)it->max_dynamic;
    return (size_t)umsim_machine_of(device)->attributes.max_shared_memory_per_block;
}

/* A setting below the default limit restricts launches, but not the reported occupancy. An H200 does the
 * same. */
static size_t shared_for_occupancy(const void *function)
{
    size_t unasked = (size_t)umsim_machine_of(umsim_device())->attributes.max_shared_memory_per_block;
    size_t set = (size_t)settings_of(function).max_dynamic;
    return set > unasked ? set : unasked;
}

/* What an H200 answers (driver 580). The manual has InvalidDeviceFunction for both cases. */
static cudaError_t check_kernel(const void *function)
{
    if (!function)
        return cudaErrorInvalidDeviceFunction;
    return umsim_kernel_thunk(function, NULL) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    UMSIM_ENTER(cudaFuncGetAttributes, attr, func);
    const struct umsim_attributes *has = &umsim_machine_of(umsim_device())->attributes;
    cudaError_t error = attr ? check_kernel(func) : cudaErrorInvalidValue;
    if (error)
        return umsim_leave(error);
    umsim_spend(UMSIM_CALL_LOOKUP);
    struct settings settings = settings_of(func);
    const struct umsim_sizes sizes = umsim_kernel_sizes(func);
    int architecture = (int)(10 * has->compute_capability_major + has->compute_capability_minor);
    *attr = (struct cudaFuncAttributes){
        .sharedSizeBytes = sizes.shared,
        .constSizeBytes = sizes.constant,
        .localSizeBytes = sizes.local,
        .maxThreadsPerBlock = sizes.threads ? (int)sizes.threads : (int)has->max_threads_per_block,
        .ptxVersion = architecture,
        .binaryVersion = architecture,
        .maxDynamicSharedSizeBytes = settings.max_dynamic,
        .preferredShmemCarveout = settings.carveout,
    };
    return umsim_leave(cudaSuccess);
}

/* Thread block clusters are not simulated: only values that ask for none are accepted. */
static cudaError_t change_setting(struct settings *settings, enum cudaFuncAttribute attr, int value)
{
    switch (attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 ||
            value > umsim_machine_of(umsim_device())->attributes.max_shared_memory_per_block_optin)
            return cudaErrorInvalidValue;
        settings->max_dynamic = value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
            return cudaErrorInvalidValue;
        settings->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return value < 0 ? cudaErrorInvalidValue : value ? cudaErrorNotSupported : cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        return value ? cudaErrorNotSupported : cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    UMSIM_ENTER(cudaFuncSetAttribute, func, attr, value);
    umsim_spend(UMSIM_CALL_LOOKUP);
    struct settings settings = settings_of(func);
    cudaError_t error = change_setting(&settings, attr, value);
    if (!error)
        error = check_kernel(func);
    return umsim_leave(error ? error : keep_settings(&settings));
}

/* Only a hint; caches are not modelled. */
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    UMSIM_ENTER(cudaFuncSetCacheConfig, func, cacheConfig);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if ((unsigned)cacheConfig > cudaFuncCachePreferEqual)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(check_kernel(func));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    UMSIM_ENTER(cudaFuncSetSharedMemConfig, func, config);
    if ((unsigned)config > cudaSharedMemBankSizeEightByte)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(check_kernel(func));
}

static int64_t resident_blocks(const void *function, int64_t threads, size_t shared)
{
    return shared > shared_for_occupancy(function) ? 0
                                                   : umsim_resident_blocks(umsim_device(), threads, shared);
}

static cudaError_t occupancy(int *blocks, const void *function, int threads, size_t shared)
{
    cudaError_t error = blocks ? check_kernel(function) : cudaErrorInvalidValue;
    if (error)
        return error;
    if (threads <= 0)
        return cudaErrorInvalidValue;
    umsim_spend(UMSIM_CALL_LOOKUP);
    *blocks = (int)resident_blocks(function, threads, shared);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
                                                          size_t dynamicSMemSize)
{
    UMSIM_ENTER(cudaOccupancyMaxActiveBlocksPerMultiprocessor, numBlocks, func, blockSize, dynamicSMemSize);
    return umsim_leave(occupancy(numBlocks, func, blockSize, dynamicSMemSize));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize, size_t dynamicSMemSize,
                                                                   unsigned int flags)
{
    UMSIM_ENTER(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, numBlocks, func, blockSize,
                dynamicSMemSize, flags);
    if (flags & ~(unsigned)cudaOccupancyDisableCachingOverride)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(occupancy(numBlocks, func, blockSize, dynamicSMemSize));
}

/* An equal share of the multiprocessor's shared memory. An H200 does not subtract its reserved part here. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
                                                      int numBlocks, int blockSize)
{
    UMSIM_ENTER(cudaOccupancyAvailableDynamicSMemPerBlock, dynamicSmemSize, func, numBlocks, blockSize);
    cudaError_t error = dynamicSmemSize ? check_kernel(func) : cudaErrorInvalidValue;
    if (error)
        return umsim_leave(error);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (numBlocks <= 0 || blockSize <= 0 || numBlocks > resident_blocks(func, blockSize, 0))
        return umsim_leave(cudaErrorInvalidValue);
    size_t share = (size_t)umsim_machine_of(umsim_device())->attributes.max_shared_memory_per_multiprocessor /
                   (size_t)numBlocks;
    size_t most = shared_for_occupancy(func);
    share = share / UMSIM_SHARED_UNIT * UMSIM_SHARED_UNIT;
    *dynamicSmemSize = share < most ? share : most;
    return umsim_leave(cudaSuccess);
}
