/**
 * @file host_memory.h
 * @brief The program's own (pageable) memory, as copies read and write it.
 *
 * Ordinarily it is this process's, at its addresses. A server's client is another process, whose memory the
 * system copies (server/client_memory.h); so no address of a client's is followed here.
 */
#ifndef UMSIM_HOST_MEMORY_H
#define UMSIM_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/** Copies from or to the program's memory. @return false when the client has no such memory (in this process
 * that is a SIGSEGV) */
bool umsim_host_read(void *to, const void *from, size_t bytes);
bool umsim_host_write(void *to, const void *from, size_t bytes);

/** Whether it is another process's. */
bool umsim_host_is_elsewhere(void);

/** From now on these do it. */
void umsim_host_memory_is(bool (*read)(void *to, const void *from, size_t bytes),
                          bool (*write)(void *to, const void *from, size_t bytes));

#endif
