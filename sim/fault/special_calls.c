/**
 * @file special_calls.c
 * @brief Calls that mean the pages themselves, not the bytes in them: futex(), mlock(), msync().
 *
 * What they answer for managed memory was asked of an H200 (tests/conformance).
 */
#include "special_calls.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/** How often a call is made again because another thread has closed the pages that it needs. */
#define TRIES 1000

static long fail(int error)
{
    errno = error;
    return -1;
}

/* ---- futex ---- */

static bool has_second(int command)
{
    return command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE || command == FUTEX_WAKE_OP ||
           command == FUTEX_WAIT_REQUEUE_PI || command == FUTEX_CMP_REQUEUE_PI;
}

static bool has_limit(int command)
{
    return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI ||
           command == FUTEX_WAIT_REQUEUE_PI || command == FUTEX_LOCK_PI2;
}

static unsigned access_of(int command)
{
    return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ? UMSIM_READ : UMSIM_READ | UMSIM_WRITTEN;
}

/* A private futex is known by its address. One that processes share is known by its file, or by its anonymous
 * page, and the pages of a GPU's driver are neither: EFAULT, on an H200, too. */
long umsim_serve_futex(struct umsim_made *made)
{
    struct umsim_loan loan = {.first = NULL};
    long argument[UMSIM_ARGUMENTS], result;
    const int command = (int)made->argument[1] & FUTEX_CMD_MASK;
    const void *word = (const void *)made->argument[0];
    const void *second = has_second(command) ? (const void *)made->argument[4] : NULL;
    bool opened = umsim_is_lendable(word) || umsim_is_lendable(second);
    if (opened && !(made->argument[1] & FUTEX_PRIVATE_FLAG))
        return fail(EFAULT);
    memcpy(argument, made->argument, sizeof argument);
    if (has_limit(command))
        argument[3] = (long)umsim_lend(&loan, (const void *)argument[3], sizeof(struct timespec), UMSIM_READ);
    for (int i = 0; i == 0 || (opened && result == -1 && errno == EFAULT && i < TRIES); i++) {
        opened = umsim_open_pages(word, sizeof(int), access_of(command));
        opened |= umsim_open_pages(second, sizeof(int), UMSIM_READ | UMSIM_WRITTEN);
        result = umsim_make(made, argument);
    }
    umsim_loan_end(&loan);
    return result;
}

/* ---- pages ---- */

long umsim_serve_mlock(struct umsim_made *made)
{
    const void *p = (const void *)made->argument[0];
    bool opened = umsim_is_lendable(p);
    long result = -1;
    for (int i = 0; i == 0 || (opened && (int)result == -1 && errno == ENOMEM && i < TRIES); i++) {
        opened = umsim_open_pages(p, (size_t)made->argument[1], UMSIM_READ);
        result = umsim_make(made, made->argument);
    }
    return result;
}

/* The mapping of a GPU's driver is one of a file that cannot be written back. */
long umsim_serve_msync(struct umsim_made *made)
{
    const long result = umsim_make(made, made->argument);
    const bool waits = made->argument[2] & MS_SYNC;
    return (int)result == 0 && waits && umsim_is_lendable((const void *)made->argument[0]) ? fail(EINVAL)
                                                                                           : result;
}
