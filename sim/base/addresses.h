/**
 * @file addresses.h
 * @brief How many addresses each part of the simulator may reserve, where there is a limit on them (ulimit
 * -v).
 *
 * Arenas and tables are large ranges of addresses that cost nothing until they are touched: some 850 GiB.
 * Under a limit the simulator leaves a quarter of what is left of it to the program. All large parts then get
 * the same fraction of what they would have without the limit. The simulated GPU keeps its profile's memory
 * in what it says; cudaMalloc() fails, with a line that says why, when the arena is full.
 *
 * Where programs have addresses of 39 bits (arm64 kernels for small boards), those are a limit, too, and the
 * arenas lie elsewhere: between AddressSanitizer's shadow, which ends at 128 GiB there, and what Linux loads
 * programs to, from 341 GiB on.
 */
#ifndef UMSIM_ADDRESSES_H
#define UMSIM_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Host process, at the start: decides what fraction the parts get, and lowers the number of workers if need
 * be.
 * @param device_bytes of the profile
 * @param views how often each page of an arena is mapped, tables of its bytes included
 * @param worker_bytes what a worker needs at least
 * @return NULL, or a static text that says why the simulator cannot run under the limit
 */
const char *umsim_addresses_plan(size_t device_bytes, unsigned views, size_t worker_bytes, unsigned *workers);

/** The arenas' addresses, by enum umsim_arena_kind, and the most that each may take. */
struct umsim_places {
    uintptr_t arena[3];
    size_t most;
};

/** Before any other function here: looks where addresses end.
 * @param as_if_few take the places for 39 bits, wherever they end: to try them */
void umsim_places_find(bool as_if_few);
const struct umsim_places *umsim_places(void);

/** How few addresses there are, in words for a message: "the limit on addresses (ulimit -v)". */
const char *umsim_addresses_limit(void);

/** Whether there is a limit that the parts have to fit into. */
bool umsim_addresses_short(void);

/** ... or at least one that pinned and managed memory meet earlier than elsewhere. */
bool umsim_addresses_are_few(void);

/** What a part gets that wants `wanted` bytes, and cannot do with less than `least`: whole 2 MiB under a
 * limit. */
size_t umsim_addresses_share(size_t wanted, size_t least);

#endif
