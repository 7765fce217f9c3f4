/**
 * @file clock.c
 * @brief Implementation of clock.h: the virtual time of each host thread.
 */
#include "clock.h"

#include <stdatomic.h>
#include <stdbool.h>

static __thread uint64_t now __attribute__((tls_model("initial-exec")));
static __thread bool has_time __attribute__((tls_model("initial-exec")));
static __thread uint64_t stalls __attribute__((tls_model("initial-exec")));
static atomic_ullong origin, latest, waited;

static void raise_to(atomic_ullong *time, unsigned long long ns)
{
    unsigned long long seen = atomic_load(time);
    while (seen < ns && !atomic_compare_exchange_weak(time, &seen, ns))
        ;
}

uint64_t umsim_clock_now(void)
{
    if (!has_time)
        umsim_clock_begin(atomic_load(&latest));
    if (now < atomic_load_explicit(&origin, memory_order_relaxed))
        now = origin;
    return now;
}

void umsim_clock_begin(uint64_t ns)
{
    now = ns;
    has_time = true;
}

/* The program's first thread begins at time 0. */
__attribute__((constructor)) static void begin(void)
{
    umsim_clock_begin(0);
}

void umsim_clock_started(void)
{
    origin = umsim_clock_now();
}

void umsim_clock_join(uint64_t ns)
{
    if (umsim_clock_now() < ns)
        now = ns;
}

/** 146 years. Time that a program claims to have worked could be so much that the clock would begin anew. */
#define LATEST (UINT64_C(1) << 62)

void umsim_clock_advance(uint64_t ns)
{
    const uint64_t before = umsim_clock_now();
    now = before < LATEST && ns < LATEST - before ? before + ns : before > LATEST ? before : LATEST;
    raise_to(&latest, now);
}

void umsim_clock_wait_until(uint64_t ns)
{
    if (umsim_clock_now() < ns) {
        now = ns;
        stalls++;
        raise_to(&latest, now);
    }
    raise_to(&waited, ns);
}

uint64_t umsim_clock_stalls(void)
{
    return stalls;
}

uint64_t umsim_clock_waited(void)
{
    return atomic_load(&waited);
}
