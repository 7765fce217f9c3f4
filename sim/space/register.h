/**
 * @file register.h
 * @brief cudaHostRegister: makes host memory that the program already has reachable for kernels.
 *
 * The host's private pages are moved into a file that both processes can map. The file is then mapped in
 * their place, so that their address stays the same. All pages that the range touches are moved as a whole,
 * with any neighbouring data on them, as a GPU's mapping would include it. A host thread that writes to pages
 * while they are copied waits in the fault handler.
 *
 * Pages that are shared already, with other processes or with a file, stay where they are. The GPU process
 * inherits the same mapping when it is forked, and has it closed until a kernel touches registered memory.
 * Where the program made the mapping later, the GPU process has to be forked anew.
 */
#ifndef UMSIM_REGISTER_H
#define UMSIM_REGISTER_H

#include "host_mapping.h"

#include <stdbool.h>
#include <stddef.h>

enum umsim_register_result { UMSIM_REGISTERED_OK, UMSIM_REGISTER_NO_MEMORY, UMSIM_REGISTER_UNMAPPED };

/** Prepares the file. @return false when the system refuses it. */
bool umsim_register_start(void);

/** The pages of one registration: several runs, if some pages were already registered with a neighbour. */
struct umsim_registration;

/**
 * Looks whether the pages of [p, p + bytes) can be registered.
 * @param for_writing whether the device is to write to them
 * @param unknown receives whether the GPU process lacks some shared pages of it, and has to be forked anew
 */
enum umsim_pinning umsim_register_examine(const void *p, size_t bytes, bool for_writing, bool *unknown);

/** Makes the pages of [p, p + bytes) reachable. @param out for umsim_unregister_pages() */
enum umsim_register_result umsim_register_pages(void *p, size_t bytes, bool for_writing,
                                                struct umsim_registration **out);

/** Moves the pages that no other registration needs back to private memory. Frees the registration. */
void umsim_unregister_pages(struct umsim_registration *registration);

/** Whether `p` lies in pages that are being moved or have just been moved: the access then has to be
 * repeated. */
bool umsim_register_settling(const void *p);

/** @name When the program forks (fork.h) @{ */
/** Whether any pages have been moved, so that a child would share them. */
bool umsim_register_has_moved(void);
/** Before, and after, in either process: the child has a copy of its own in the place of each. */
void umsim_register_before_fork(void);
void umsim_register_after_fork(bool in_child);
/** @} */

#endif
