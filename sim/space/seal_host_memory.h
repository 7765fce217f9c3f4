/**
 * @file seal_host_memory.h
 * @brief Closes the host's private memory to the GPU process.
 *
 * GPU process only.
 *
 * A fork copies the host's heap, stacks and globals, and a kernel that follows a host pointer would find
 * plausible stale data there. So every private writable mapping that was inherited loses all access; the MMU
 * then refuses it, as a GPU's MMU does. Some mappings stay open: the libraries' own data (libumsim's and
 * libm's among them), the anonymous .bss behind a library's file-backed data, and the memory made for the
 * workers. String literals and other read-only data cannot be closed, because kernels' code and constants lie
 * among them.
 *
 * The order matters. Threads need the heap while they start, so all of them have checked in before the
 * sealing. The first thread runs on the stack that is closed, so it waits in a loop that uses no stack.
 */
#ifndef UMSIM_SEAL_HOST_MEMORY_H
#define UMSIM_SEAL_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/** First thread, before it sleeps: reads the list of mappings and plans what to close. [start, start + bytes)
 * stays open. */
void umsim_seal_plan(const char *start, size_t bytes);

/**
 * The length of the part at the start of [p, p + bytes) that is closed private memory of the host throughout,
 * or is so nowhere.
 * @param closed whether it is closed
 */
size_t umsim_sealed_part(const char *p, size_t bytes, bool *closed);

/** First thread: leaves C code for good, sleeps until the host dies, then ends the process. */
__attribute__((noreturn)) void umsim_sleep_main_thread(void);

/** Worker 0: waits until the first thread sleeps, then closes what was planned. */
void umsim_seal_when_main_sleeps(void);

/** Whether this program cannot be sealed (AddressSanitizer's shadow is private memory). */
bool umsim_seal_impossible(void);

#endif
