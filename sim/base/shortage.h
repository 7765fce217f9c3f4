/**
 * @file shortage.h
 * @brief Why the system gave no memory, or killed a process: which limit it was, as far as can be known.
 *
 * Host process only; not async-signal-safe.
 */
#ifndef UMSIM_SHORTAGE_H
#define UMSIM_SHORTAGE_H

#include <stddef.h>
#include <stdint.h>

/** What is asked of the system. Each kind counts for other limits. */
enum umsim_asked {
    UMSIM_ASKED_ADDRESSES, /* addresses only, or shared memory */
    UMSIM_ASKED_PRIVATE,   /* private memory that can be written */
};

/**
 * Why mmap(), mprotect() or a fork failed with `error` when it was asked for `bytes`: names the limit, its
 * value and what is in use.
 * @return a static text without a full stop; strerror(error) where no limit explains it
 */
const char *umsim_why_refused(int error, size_t bytes, enum umsim_asked asked);

/** Why memfd_create() or ftruncate() failed with `error`. @return a static text, as above */
const char *umsim_why_no_file(int error);

/** Why a thread could not be started. @return a static text, as above */
const char *umsim_why_no_thread(int error);

/** Private memory of this process that can be written: what a fork takes as much of again. */
size_t umsim_private_bytes(void);

/** How much memory this process can have at most: the machine's, or the least limit of a memory cgroup that
 * it is in. @return bytes; SIZE_MAX: it cannot be known */
size_t umsim_host_memory_bytes(void);

/** How many bytes of addresses the limit on them (ulimit -v) leaves to this process; SIZE_MAX: there is none.
 */
size_t umsim_addresses_left(void);

/** Notes how many processes have been killed for lack of memory so far. */
void umsim_kills_note(void);

/** @return what is known of kills for lack of memory since umsim_kills_note(), as the end of a sentence about
 * a process that signal 9 ended: a static text */
const char *umsim_kills_since(void);

#endif
