/**
 * @file cycles.c
 * @brief clock(), clock64() and the time of __nanosleep().
 *
 * Real time would differ in each run, and would be the time of this processor, not of a GPU. So a thread's
 * clock moves only by what the thread does with it: by a fixed number of cycles for each read, and by the
 * time that the thread sleeps. That is enough for loops that wait until a number of cycles has passed; the
 * launch then takes as long in virtual time (kernel_op.c). Work between two reads takes no cycles.
 */
#include "../worker/worker.h"
#include "../include/umsim/library.h"
#include "../base/processes.h"
#include "../worker/launches.h"

#include <time.h>

/** A loop around clock64() takes about this many cycles on a GPU. This is an assumption, not a
 * measurement. */
#define CYCLES_A_READ 40
/** From one launch to the next the clock advances by more than a launch lasts. */
#define CYCLES_A_LAUNCH (UINT64_C(1) << 40)

static uint64_t *cycles_of_thread(struct umsim_worker *worker)
{
    if (worker->current)
        return &worker->current->cycles;
    umsim_worker_know_thread(worker);
    return &worker->cycles;
}

static uint64_t pass(uint64_t cycles)
{
    struct umsim_worker *worker = umsim_this_worker;
    atomic_ullong *longest = (atomic_ullong *)&worker->command->measured.cycles;
    uint64_t *mine = cycles_of_thread(worker);
    *mine += cycles;
    unsigned long long seen = atomic_load_explicit(longest, memory_order_relaxed);
    while (seen < *mine && !atomic_compare_exchange_weak(longest, &seen, *mine))
        ;
    return *mine;
}

uint64_t umsim_clock64(void)
{
    if (!umsim_in_kernel())
        return (uint64_t)clock();
    const uint64_t launches =
        atomic_load(&umsim_processes->completed) + atomic_load(&umsim_processes->recalled);
    return (launches + 1) * CYCLES_A_LAUNCH + pass(CYCLES_A_READ);
}

uint64_t umsim_clock_ns(void)
{
    if (!umsim_in_kernel())
        return (uint64_t)clock() * (UINT64_C(1000000000) / CLOCKS_PER_SEC);
    return (uint64_t)((unsigned __int128)umsim_clock64() * 1000000 / umsim_launches->clock_khz);
}

void umsim_sleep_ns(unsigned nanoseconds)
{
    if (umsim_in_kernel())
        pass((uint64_t)nanoseconds * umsim_launches->clock_khz / 1000000);
}
