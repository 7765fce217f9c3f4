/**
 * @file register.h
 * @brief cudaHostRegister: makes host memory that the program already has reachable for kernels.
 *
 * The host's pages are moved into a file that both processes can map. The file is then mapped in their place,
 * so that their address stays the same. All pages that the range touches are moved as a whole, with any
 * neighbouring data on them, as a GPU's mapping would include it. A host thread that writes to pages while
 * they are copied waits in the fault handler.
 */
#ifndef UMSIM_REGISTER_H
#define UMSIM_REGISTER_H

#include <stdbool.h>
#include <stddef.h>

enum umsim_register_result { UMSIM_REGISTERED_OK, UMSIM_REGISTER_NO_MEMORY, UMSIM_REGISTER_UNMAPPED };

/** Prepares the file. @return false when the system refuses it. */
bool umsim_register_start(void);

/** The pages of one registration: several runs, if some pages were already registered with a neighbour. */
struct umsim_registration;

/** Moves the pages of [p, p + bytes). @param out for umsim_unregister_pages() */
enum umsim_register_result umsim_register_pages(void *p, size_t bytes, struct umsim_registration **out);

/** Moves the pages that no other registration needs back to private memory. Frees the registration. */
void umsim_unregister_pages(struct umsim_registration *registration);

/** Whether `p` lies in pages that are being moved or have just been moved: the access then has to be
 * repeated. */
bool umsim_register_settling(const void *p);

#endif
