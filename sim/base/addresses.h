/**
 * @file addresses.h
 * @brief How many addresses each part of the simulator may reserve, where there is a limit on them (ulimit
 * -v).
 *
 * Arenas and tables are large ranges of addresses that cost nothing until they are touched: some 850 GiB.
 * Under a limit the simulator leaves a quarter of what is left of it to the program. All large parts then get
 * the same fraction of what they would have without the limit. The simulated GPU keeps its profile's memory
 * in what it says; cudaMalloc() fails, with a line that says why, when the arena is full.
 */
#ifndef UMSIM_ADDRESSES_H
#define UMSIM_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Host process, at the start: decides what fraction the parts get, and lowers the number of workers if need
 * be.
 * @param device_bytes of the profile
 * @param views how often each page of an arena is mapped, tables of its bytes included
 * @param worker_bytes what a worker needs at least
 * @return NULL, or a static text that says why the simulator cannot run under the limit
 */
const char *umsim_addresses_plan(size_t device_bytes, unsigned views, size_t worker_bytes, unsigned *workers);

/** Whether there is a limit that the parts have to fit into. */
bool umsim_addresses_short(void);

/** What a part gets that wants `wanted` bytes, and cannot do with less than `least`: whole 2 MiB under a
 * limit. */
size_t umsim_addresses_share(size_t wanted, size_t least);

#endif
