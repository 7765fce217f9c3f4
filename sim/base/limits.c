/**
 * @file limits.c
 * @brief The table of device limits, and the values that the program has set (limits.h).
 */
#include "limits.h"
#include "devices.h"
#include "machine.h"

#include <stdbool.h>
#include <string.h>

/* The limits of what device code may use. A value is rounded up to a multiple of `unit` and to at least
 * `least`. A value above `most` is refused, or becomes `most`. The figures are an H200's (driver 580, CUDA
 * 13.0). The largest stack is the largest that was seen to be accepted (524,272 bytes were refused). The
 * simulator stores and reports the values; its kernels have stacks of their own. */
struct limit {
    bool supported, refuses;
    size_t unit, least, most, at_start;
};

static const struct limit limits[] = {
    [cudaLimitStackSize] = {true, true, 16, 0, 512000, 1024},
    [cudaLimitPrintfFifoSize] = {true, false, 1, 512 << 10, (size_t)2 << 30, 8650752},
    [cudaLimitMallocHeapSize] = {true, false, 1, 4 << 20, 17681179680, 8 << 20},
    [cudaLimitDevRuntimeSyncDepth] = {false, false, 1, 0, 0, 0},
    [cudaLimitDevRuntimePendingLaunchCount] = {true, false, 1, 32, 599186, 2048},
    [cudaLimitMaxL2FetchGranularity] = {true, true, 1, 0, 128, 64},
};

/* What the program has set of each device: 0 stands for the initial value, n + 1 for n. */
enum { LIMITS = cudaLimitPersistingL2CacheSize + 1 };
static size_t set_of[UMSIM_DEVICES_MAX][LIMITS];

static size_t *current_set(void)
{
    return set_of[umsim_device()];
}

/* L2 set aside for persisting accesses is counted in tenths of the maximum; initially it is three tenths. */
static struct limit persisting_l2(void)
{
    size_t most = (size_t)umsim_machine_of(umsim_device())->attributes.max_persisting_l2_cache_size;
    return (struct limit){true, true, most / 10 ? most / 10 : 1, 0, most, most / 10 * 3};
}

static cudaError_t find_limit(enum cudaLimit number, struct limit *limit)
{
    if ((size_t)number >= LIMITS)
        return cudaErrorInvalidValue;
    *limit = number == cudaLimitPersistingL2CacheSize ? persisting_l2() : limits[number];
    return limit->supported ? cudaSuccess : cudaErrorUnsupportedLimit;
}

size_t umsim_device_limit(unsigned device, enum cudaLimit number)
{
    const size_t set = set_of[device][number];
    return set ? set - 1 : limits[number].at_start;
}

cudaError_t umsim_limit_get(enum cudaLimit number, size_t *value)
{
    struct limit found;
    cudaError_t error = find_limit(number, &found);
    if (!error)
        *value = current_set()[number] ? current_set()[number] - 1 : found.at_start;
    return error;
}

cudaError_t umsim_limit_check(enum cudaLimit number, size_t value)
{
    struct limit found;
    cudaError_t error = find_limit(number, &found);
    if (!error && value > found.most && found.refuses)
        error = cudaErrorInvalidValue;
    return error;
}

void umsim_limit_set(enum cudaLimit number, size_t value)
{
    struct limit found;
    if (find_limit(number, &found))
        return;
    size_t kept = value < found.least ? found.least : value > found.most ? found.most : value;
    current_set()[number] = (kept + found.unit - 1) / found.unit * found.unit + 1;
}

void umsim_limits_reset(void)
{
    memset(current_set(), 0, sizeof set_of[0]);
}
