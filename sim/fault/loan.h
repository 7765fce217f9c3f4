/**
 * @file loan.h
 * @brief Lends managed memory to a system call, which cannot fault pages in, and takes it back.
 *
 * The kernel raises no SIGSEGV for a page that the process cannot reach. Instead a system call fails with
 * EFAULT, or transfers less than was asked. So a call gets another address of the same memory: in the copy
 * window, where everything is open. What the call reads is charged as a touch by the host before it, what it
 * wrote after it.
 *
 * To use: a struct umsim_loan, zeroed; umsim_lend() for each buffer; the call; umsim_take_back() for each
 * buffer that the call wrote; umsim_loan_end(). All of this is async-signal-safe, like the calls themselves.
 */
#ifndef UMSIM_LOAN_H
#define UMSIM_LOAN_H

#include <stdbool.h>
#include <stddef.h>

enum umsim_access { UMSIM_READ = 1, UMSIM_WRITTEN = 2 };

/** One buffer that was lent. */
struct umsim_lent {
    struct umsim_lent *next;
    char *own, *view;
    size_t bytes;
};

/** What one call has borrowed. */
struct umsim_loan {
    struct umsim_lent *first;
    struct umsim_scratch *more; /* memory that did not fit into `own_memory` */
    size_t used;
    _Alignas(16) char own_memory[2048];
};

/** Whether managed memory may be at `p`. A child that the program forked has none. */
bool umsim_is_lendable(const void *p);

/**
 * @param access what the call does to the buffer: bits of enum umsim_access
 * @return the address for the call; `p` itself when that is not managed memory. So is a buffer of which a
 * part is not alive, or not the host's: its good part is open then, and the call fails as it would on
 * hardware.
 */
void *umsim_lend(struct umsim_loan *loan, const void *p, size_t bytes, unsigned access);

/** Lends text up to its NUL character. */
char *umsim_lend_text(struct umsim_loan *loan, const char *text);

/** The call wrote `bytes` bytes to a view. */
void umsim_take_back(struct umsim_loan *loan, const void *view, size_t bytes);

/** The program's address of what stands at `p` in one of the loan's views; other addresses stay. */
void *umsim_own_address(const struct umsim_loan *loan, const void *p);

/** Memory until the loan's end; NULL when there is none. */
void *umsim_loan_memory(struct umsim_loan *loan, size_t bytes);

/** Gives everything back. Keeps errno. */
void umsim_loan_end(struct umsim_loan *loan);

/** Opens managed pages at their own address. Another thread's launch may close them at any time. @return
 * whether any of it was managed memory that the host may touch */
bool umsim_open_pages(const void *p, size_t bytes, unsigned access);

/** Whether all of [p, p + bytes) can be read here, without a fault that is an error. */
bool umsim_is_readable(const void *p, size_t bytes);

#endif
