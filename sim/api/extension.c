/**
 * @file extension.c
 * @brief What the simulator offers beyond CUDA (umsim.h): counters, the virtual clock, the GPU process's id.
 */
#include "runtime.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "../device/process.h"
#include "../space/managed.h"
#include "../base/processes.h"
#include "../base/machine.h"

#include <string.h>

void umsim_counters_read(struct umsim_counters *out)
{
    *out = umsim_counters;
}

int umsim_counters_of(const void *p, struct umsim_counters *out)
{
    memset(out, 0, sizeof *out);
    return umsim_managed_counters(p, out);
}

uint64_t umsim_time_ns(void)
{
    return umsim_clock_now();
}

void umsim_host_work_ns(uint64_t ns)
{
    umsim_clock_advance(ns);
}

void umsim_host_copied(size_t bytes)
{
    umsim_ledger_host_copied(bytes);
    umsim_clock_advance(umsim_cost_host_memcpy(&umsim_machine.costs, bytes));
}

const char *umsim_profile_name(void)
{
    return umsim_machine.name;
}

size_t umsim_residency(const void *p, size_t bytes, char *bar, size_t characters)
{
    bar[0] = '\0';
    return umsim_managed_residency_bar(p, bytes, bar, characters);
}

int umsim_gpu_pid(void)
{
    return (int)umsim_gpu_process_id();
}
