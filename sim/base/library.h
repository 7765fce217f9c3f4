/**
 * @file library.h
 * @brief Which executable or library an address belongs to.
 *
 * Unlike dladdr(), this takes no lock that a thread holds throughout dlopen() or dlclose(). Such a thread may
 * be waiting for the simulator's lock.
 */
#ifndef UMSIM_BASE_LIBRARY_H
#define UMSIM_BASE_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

struct umsim_library {
    const char *file; /* "" for the executable; valid as long as it is loaded */
    uintptr_t base;   /* what is added to the addresses in its file */
    uintptr_t start, end;
};

/** The library that holds `p`. @return false, and a library without addresses, when there is none */
bool umsim_library_of(const void *p, struct umsim_library *library);

#endif
