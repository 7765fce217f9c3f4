/* clock.c: see clock.h. */
#include "clock.h"

#include <stdatomic.h>

static __thread uint64_t now __attribute__((tls_model("initial-exec")));
static atomic_ullong latest;

static void moved(void)
{
    unsigned long long seen = atomic_load(&latest);
    while (seen < now && !atomic_compare_exchange_weak(&latest, &seen, now))
        ;
}

uint64_t umsim_clock_now(void)
{
    if (now == 0)
        now = atomic_load(&latest);
    return now;
}

void umsim_clock_advance(uint64_t ns)
{
    now = umsim_clock_now() + ns;
    moved();
}

void umsim_clock_wait_until(uint64_t ns)
{
    if (umsim_clock_now() < ns) {
        now = ns;
        moved();
    }
}
