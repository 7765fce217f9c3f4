/**
 * @file addresses.c
 * @brief Implementation of addresses.h: the sum of what all parts want, and the fraction of it that there is.
 */
#include "addresses.h"
#include "layout.h"
#include "shortage.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/** What the parts have at least, together, and tables of a fixed size. */
#define LEAST_BYTES ((size_t)192 << 20)
/** The heap's table, what kernels print, block swaps, launches by kernels. */
#define TABLES_BYTES ((size_t)12 << 30)

/** All addresses of 39 bits, less what programs, their libraries and stacks may be moved about by. */
#define FEW_ADDRESSES ((size_t)384 << 30)

static double fraction = 1;

static const struct umsim_places many = {{UMSIM_DEVICE_BASE, UMSIM_PINNED_BASE, UMSIM_MANAGED_BASE},
                                         SIZE_MAX},
                                 few = {{UINT64_C(132) << 30, UINT64_C(198) << 30, UINT64_C(264) << 30},
                                        (size_t)66 << 30};
static const struct umsim_places *places = &many;

/* x86-64 has more. The system is asked itself, as ThreadSanitizer ends a program that asks its mmap(). */
static bool ends_early(void)
{
#ifdef __x86_64__
    return false;
#else
    const long page =
        syscall(SYS_mmap, UMSIM_MANAGED_BASE, UMSIM_PAGE, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, (off_t)0);
    if (page == -1)
        return errno == ENOMEM;
    syscall(SYS_munmap, page, UMSIM_PAGE);
    return false;
#endif
}

void umsim_places_find(bool as_if_few)
{
    places = as_if_few || ends_early() ? &few : &many;
}

const struct umsim_places *umsim_places(void)
{
    return places;
}

const char *umsim_addresses_limit(void)
{
    return places == &few && umsim_addresses_left() == SIZE_MAX
               ? "with addresses of 39 bits, which is what this processor or its kernel has,"
               : "under the limit on addresses (ulimit -v)";
}

bool umsim_addresses_short(void)
{
    return fraction < 1;
}

bool umsim_addresses_are_few(void)
{
    return umsim_addresses_short() || places == &few;
}

const char *umsim_addresses_plan(size_t device_bytes, unsigned views, size_t worker_bytes, unsigned *workers)
{
    static char why[200];
    size_t left = umsim_addresses_left();
    if (places == &few && left > FEW_ADDRESSES)
        left = FEW_ADDRESSES;
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
    fraction = fraction < 1 ? fraction : 1;
    return NULL;
}

size_t umsim_addresses_share(size_t wanted, size_t least)
{
    if (!umsim_addresses_short())
        return wanted;
    const size_t share = umsim_round_down((size_t)(fraction * (double)wanted), UMSIM_VA_BLOCK);
    return share > least ? share : least;
}
