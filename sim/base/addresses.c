/**
 * @file addresses.c
 * @brief Implementation of addresses.h: the sum of what all parts want, and the fraction of it that there is.
 */
#include "addresses.h"
#include "layout.h"
#include "shortage.h"

#include <stdint.h>
#include <stdio.h>

/** What the parts have at least, together, and tables of a fixed size. */
#define LEAST_BYTES ((size_t)192 << 20)
/** The heap's table, what kernels print, block swaps, launches by kernels. */
#define TABLES_BYTES ((size_t)12 << 30)

static double fraction = 1;

bool umsim_addresses_short(void)
{
    return fraction < 1;
}

const char *umsim_addresses_plan(size_t device_bytes, unsigned views, size_t worker_bytes, unsigned *workers)
{
    static char why[200];
    const size_t left = umsim_addresses_left();
    if (left == SIZE_MAX)
        return NULL;
    const size_t ours = left / 4 * 3, least = LEAST_BYTES + worker_bytes;
    if (ours < least) {
        snprintf(why, sizeof why,
                 "the limit on addresses (ulimit -v) leaves it %zu MiB, and it needs %zu: raise the limit by "
                 "%zu MiB",
                 ours >> 20, least >> 20, ((least - ours) / 3 * 4 >> 20) + 1);
        return why;
    }
    while (*workers > 1 && *workers * worker_bytes > (ours - LEAST_BYTES) / 2)
        --*workers;
    /* three arenas and the heap; the policy keeps a hundredth of the managed arena's size */
    const double wanted = views * (3. * (double)device_bytes + UMSIM_HEAP_SIZE) + (double)device_bytes / 64 +
                          (double)TABLES_BYTES;
    fraction = (double)(ours - LEAST_BYTES - *workers * worker_bytes) / wanted;
    return NULL;
}

size_t umsim_addresses_share(size_t wanted, size_t least)
{
    if (!umsim_addresses_short())
        return wanted;
    const size_t share = umsim_round_down((size_t)(fraction * (double)wanted), UMSIM_VA_BLOCK);
    return share > least ? share : least;
}
