/**
 * @file arithmetic.h
 * @brief What the files of the cost model share: nanoseconds as doubles, and the cost of a kernel's faults.
 */
#ifndef UMSIM_ARITHMETIC_H
#define UMSIM_ARITHMETIC_H

#include "cost.h"

#define PAGE 4096.0
#define BLOCK (512 * PAGE)
#define BIG_PAGE (16 * PAGE)

/* Beyond this (104 days) a double no longer tells single nanoseconds apart; uint64_t goes much further. */
#define LONGEST_NS 9007199254740992.0

/** Rounds once, at the end, because costs are sums of fractions of nanoseconds. */
static inline uint64_t from_ns(double ns)
{
    if (!(ns > 0))
        return 0;
    return ns < LONGEST_NS ? (uint64_t)(ns + 0.5) : (uint64_t)LONGEST_NS;
}

static inline uint64_t from_us(double us)
{
    return from_ns(us * 1e3);
}

/** Nanoseconds for bytes: 10^9 bytes a second is a byte a nanosecond. */
static inline double transfer_ns(double bytes, double gbs)
{
    return bytes / gbs;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/** What a kernel waits for pages that are not there, or were mapped just before: nanoseconds. */
double umsim_cost_kernel_paging(const struct umsim_costs *costs, const struct umsim_kernel_work *work);

#endif
