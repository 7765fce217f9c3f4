/**
 * @file unload.h
 * @brief Libraries with kernels or device variables that the program closes (dlclose).
 */
#ifndef UMSIM_UNLOAD_H
#define UMSIM_UNLOAD_H

/** At the start: at the program's end nothing is given back. */
void umsim_unload_start(void);

/** With the lock held and nothing queued: gives back what belonged to libraries that are gone. */
void umsim_unload_gone(void);

#endif
