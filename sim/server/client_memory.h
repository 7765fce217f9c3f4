/**
 * @file client_memory.h
 * @brief The client's memory, as the server reaches it: by the system, which checks each address.
 */
#ifndef UMSIM_CLIENT_MEMORY_H
#define UMSIM_CLIENT_MEMORY_H

#include "channel.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Whose memory is meant from now on; 0: nobody's, and nothing can be read or written. */
void umsim_client_is(pid_t client);
bool umsim_client_is_gone(void);

/** Copy from and to the client's memory. @return false, with the first address that failed in
 * umsim_client_bad(), when it has no such memory */
bool umsim_client_read(void *to, const void *from, size_t bytes);
bool umsim_client_write(void *to, const void *from, size_t bytes);

/** The first address since it was last asked that could not be followed, 0 if none. @param writes what was
 * wanted there */
uintptr_t umsim_client_bad(bool *writes);

/** Memory that the client registers: its bytes are taken over, at the same address. Then CUDA's own call
 * registers it here. @return false when something else stands there */
bool umsim_client_adopt(const void *p, size_t bytes);
/** CUDA refused to register what was adopted last. */
void umsim_client_release_unused(void);
/** It was unregistered: `given` are the pages that no other registration needs. */
void umsim_client_disown(const void *p);
/** Whether the client is a student's process from now on: what it registers is undone at its end. */
void umsim_client_is_lent(bool is);
/** Some range that a student's process has registered, NULL when there is none. */
void *umsim_client_students_registered(void);
/** The pages that were disowned last, and then their bytes, written to the client. */
void umsim_client_given(uintptr_t *from, size_t *bytes);
void umsim_client_give(void);

/** Managed memory: the copy that clients map. @return the file, -1 on failure */
int umsim_client_copy_make(size_t bytes);
/** A client touched `p`: fills in `answer`. */
void umsim_client_touches(void *p, bool is_write, struct umsim_message *answer);
/** Takes back all that was opened of managed memory: bytes that the client wrote are its own now. */
void umsim_client_take_back(void);
/** What the client has to close (enum umsim_closes), since it was last asked. */
unsigned umsim_client_to_close(void);
/** Pinned memory was freed: what is left of it is opened again when it is touched. */
void umsim_client_pinned_freed(void);

#endif
