/**
 * @file um_fault.h
 * @brief Touches an address and survives: which signal came, with which code, for which address.
 *
 *     struct um_fault fault;
 *     if (!um_probe_read(d_a, &fault)) printf("%s %s\n", um_signal_name(&fault), um_code_name(&fault));
 *
 * On sim, a touch of device memory is also explained on stderr, just as when it ends a program. These
 * functions are for lessons and tests. Use them from one thread at a time: a signal handler belongs to the
 * whole process.
 */
#ifndef UM_FAULT_H
#define UM_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of touching an address. */
struct um_fault {
    bool faulted;
    int signal; /**< SIGSEGV or SIGBUS; 0 without a fault */
    int code;   /**< si_code: SEGV_MAPERR (no mapping), SEGV_ACCERR (mapped, but not for this access), ... */
    const void *address; /**< si_addr: the address that faulted */
};

/**
 * Reads (writes) one byte at `address` under a temporary handler for SIGSEGV and SIGBUS, then restores the
 * previous handlers. The write writes the same byte that it read. A page of managed memory migrates as it
 * would for any touch: to the program that is no fault.
 * @param fault what happened; may be NULL.
 * @return true when the byte could be touched.
 * @{
 */
bool um_probe_read(const void *address, struct um_fault *fault);
bool um_probe_write(void *address, struct um_fault *fault);
/** @} */

/** "SIGSEGV", "SIGBUS", or "none". */
const char *um_signal_name(const struct um_fault *fault);

/** "SEGV_ACCERR", "SEGV_MAPERR", "BUS_ADRERR", ...; "none" without a fault, "other" for a rare one. */
const char *um_code_name(const struct um_fault *fault);

/** One line of /proc/self/maps, in its parts. */
struct um_mapping {
    uintptr_t start, end;
    char permissions[5]; /**< "rw-p", "---s", ... */
    char name[256];      /**< path, "[heap]", "[stack]", or "" for anonymous memory */
};

/** The mapping that holds `address`. @return false when none does (then a touch gives SEGV_MAPERR). */
bool um_mapping_of(const void *address, struct um_mapping *mapping);

/**
 * The line of /proc/self/maps that holds `address`, word for word, without its newline. Its inode number, and
 * for heap and stack its addresses, differ from run to run. Output that must repeat prints parts of
 * um_mapping_of() instead.
 * @return false, and an empty text, when no line holds it.
 */
bool um_maps_line(const void *address, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
