/* clock.c: see clock.h. */
#include "clock.h"

#include <stdatomic.h>

static __thread uint64_t now __attribute__((tls_model("initial-exec")));
static atomic_ullong latest, waited;

static void raise_to(atomic_ullong *time, unsigned long long ns)
{
    unsigned long long seen = atomic_load(time);
    while (seen < ns && !atomic_compare_exchange_weak(time, &seen, ns))
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
    raise_to(&latest, now);
}

void umsim_clock_wait_until(uint64_t ns)
{
    if (umsim_clock_now() < ns) {
        now = ns;
        raise_to(&latest, now);
    }
    raise_to(&waited, ns);
}

uint64_t umsim_clock_waited(void)
{
    return atomic_load(&waited);
}
