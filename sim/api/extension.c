/**
 * @file extension.c
 * @brief What the simulator offers beyond CUDA (umsim.h): counters, the virtual clock, the GPU process's id.
 */
#include "runtime.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "../device/process.h"
#include "../space/host_memory.h"
#include "../space/managed.h"
#include "../base/processes.h"
#include "../base/machine.h"
#include "../include/umsim_grading.h"

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

static uintptr_t copies_from; /* umsim_host_copies() */
static size_t copies_bytes;

void umsim_host_copies(void *p, size_t bytes)
{
    copies_from = (uintptr_t)p;
    copies_bytes = bytes;
}

/* @param at where the bytes stand, or are going to */
static void mix(unsigned char *part, uintptr_t at, size_t bytes)
{
    const struct umsim_key *key = umsim_ledger_key();
    for (size_t i = 0; key && i < bytes; i++)
        if (at + i - copies_from < copies_bytes)
            part[i] ^= umsim_keyed_at(key, at + i - copies_from);
}

void umsim_host_copy(void *to, const void *from, size_t bytes)
{
    unsigned char part[4096];
    const bool from_there = (uintptr_t)from - copies_from < copies_bytes;
    for (size_t at = 0; at < bytes; at += sizeof part) {
        const size_t now = bytes - at < sizeof part ? bytes - at : sizeof part;
        if (!umsim_host_read(part, (const char *)from + at, now))
            return;
        mix(part, (from_there ? (uintptr_t)from : (uintptr_t)to) + at, now);
        if (!umsim_host_write((char *)to + at, part, now))
            return;
    }
    umsim_host_copied(bytes);
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
    return (int)umsim_gpu_process_id(0);
}
