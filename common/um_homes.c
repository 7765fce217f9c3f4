/**
 * @file um_homes.c
 * @brief Implementation of um_homes.h: creates the pair of managed allocations, and their pages in several
 * threads.
 */
#include "um_homes.h"

#include "um_cuda_compat.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* More threads than this were no faster: they wait for each other in the driver (measured on an H200's host).
 */
#define TOUCH_THREADS 16

/* The pages that one thread touches. */
struct range {
    volatile char *first;
    size_t bytes, page;
    pthread_t thread;
};

static void *touch(void *argument)
{
    const struct range *range = argument;
    for (size_t offset = 0; offset < range->bytes; offset += range->page)
        range->first[offset] = 0;
    return NULL;
}

static int default_threads(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores < TOUCH_THREADS ? (int)cores : TOUCH_THREADS;
}

void um_touch_pages(void *memory, size_t bytes, int threads)
{
    struct range range[UM_TOUCH_THREADS_MAX];
    bool started[UM_TOUCH_THREADS_MAX] = {false};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (threads < 1 || threads > UM_TOUCH_THREADS_MAX)
        threads = default_threads();
    const size_t each = (bytes / (size_t)threads + page - 1) / page * page;
    for (int t = 0; t < threads; t++) {
        const size_t first = each * (size_t)t < bytes ? each * (size_t)t : bytes;
        const bool last = t == threads - 1;
        range[t].first = (volatile char *)memory + first;
        range[t].bytes = last || bytes - first < each ? bytes - first : each;
        range[t].page = page;
        started[t] = !last && pthread_create(&range[t].thread, NULL, touch, &range[t]) == 0;
        if (!started[t])
            touch(&range[t]); /* the caller touches the last range, and each range for which no thread could
                                 be started */
    }
    for (int t = 0; t < threads; t++)
        if (started[t])
            pthread_join(range[t].thread, NULL);
}

/* Make the pages first and give advice afterwards: once AccessedBy is set, each new page is mapped for the
 * device one by one. */
static cudaError_t make_host_home(struct um_homes *homes, int device)
{
    cudaError_t error = cudaMallocManaged(&homes->host, homes->bytes, cudaMemAttachGlobal);
    if (error == cudaSuccess)
        error = um_advise(homes->host, homes->bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
    if (error == cudaSuccess) {
        um_touch_pages(homes->host, homes->bytes, 0);
        error = um_advise(homes->host, homes->bytes, cudaMemAdviseSetAccessedBy, device);
    }
    return error;
}

static cudaError_t make_device_home(struct um_homes *homes, int device)
{
    cudaError_t error = cudaMallocManaged(&homes->device, homes->bytes, cudaMemAttachGlobal);
    if (error == cudaSuccess)
        error = um_advise(homes->device, homes->bytes, cudaMemAdviseSetPreferredLocation, device);
    if (error == cudaSuccess)
        error = um_prefetch(homes->device, homes->bytes, device, NULL);
    return error == cudaSuccess ? cudaStreamSynchronize(NULL) : error;
}

cudaError_t um_homes_create(struct um_homes *homes, size_t bytes)
{
    int device = 0;
    *homes = (struct um_homes){.bytes = bytes};
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess && !um_attribute(cudaDevAttrConcurrentManagedAccess, device, 0))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        error = make_host_home(homes, device);
    if (error == cudaSuccess)
        error = make_device_home(homes, device);
    if (error != cudaSuccess)
        um_homes_destroy(homes);
    return error;
}

void um_homes_destroy(struct um_homes *homes)
{
    cudaFree(homes->host);
    cudaFree(homes->device);
    *homes = (struct um_homes){0};
}
