/**
 * @file loan.c
 * @brief Implementation of loan.h.
 */
#include "loan.h"
#include "call.h"
#include "../base/layout.h"
#include "../space/managed.h"
#include "../space/views.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/** Text is looked at in parts of so many bytes; a path has at most that many (PATH_MAX). */
#define TEXT_PART ((size_t)4096)

struct umsim_scratch {
    struct umsim_scratch *next;
    size_t bytes;
};

bool umsim_is_lendable(const void *p)
{
    return umsim_managed_space_of(p) != NULL;
}

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void *umsim_loan_memory(struct umsim_loan *loan, size_t bytes)
{
    bytes = umsim_round_up(bytes, 16);
    if (bytes <= sizeof loan->own_memory - loan->used) {
        loan->used += bytes;
        return loan->own_memory + loan->used - bytes;
    }
    const size_t whole = umsim_round_up(bytes + 16, UMSIM_HOST_PAGE);
    struct umsim_scratch *more = map(whole);
    if (!more)
        return NULL;
    *more = (struct umsim_scratch){loan->more, whole};
    loan->more = more;
    return (char *)more + 16;
}

/* The host's own touch; a write changes nothing. */
static void touch(char *p, unsigned access)
{
    if (access & UMSIM_WRITTEN)
        __atomic_fetch_or(p, 0, __ATOMIC_RELAXED);
    else
        (void)*(volatile char *)p;
}

bool umsim_open_pages(const void *p, size_t bytes, unsigned access)
{
    const size_t good = umsim_is_lendable(p) ? umsim_managed_for_host(p, bytes) : 0;
    char *end = (char *)p + good;
    for (char *at = (char *)p; at < end;
         at = (char *)umsim_round_down((uintptr_t)at + UMSIM_HOST_PAGE, UMSIM_HOST_PAGE))
        touch(at, access);
    return good > 0;
}

void *umsim_lend(struct umsim_loan *loan, const void *p, size_t bytes, unsigned access)
{
    if (!bytes || !umsim_is_lendable(p))
        return (void *)p;
    const struct umsim_managed_space *space = umsim_managed_space_of(p);
    struct umsim_lent *lent = umsim_loan_memory(loan, sizeof *lent);
    if (!lent || umsim_managed_for_host(p, bytes) < bytes) {
        umsim_open_pages(p, bytes, access);
        return (void *)p;
    }
    *lent =
        (struct umsim_lent){loan->first, (char *)p, space->window + ((const char *)p - space->base), bytes};
    if (access & UMSIM_READ)
        umsim_managed_host_access(p, bytes, false);
    loan->first = lent;
    return lent->view;
}

char *umsim_lend_text(struct umsim_loan *loan, const char *text)
{
    if (!umsim_is_lendable(text))
        return (char *)text;
    size_t length = 0, good, part;
    do {
        good = umsim_managed_for_host(text + length, TEXT_PART);
        part = strnlen(text + length, good);
        length += part;
    } while (part == TEXT_PART);
    if (part == good) /* it has no end: what the call reads there is an error */
        return (char *)text;
    return umsim_lend(loan, text, length + 1, UMSIM_READ);
}

static struct umsim_lent *lent_at(const struct umsim_loan *loan, const char *p)
{
    struct umsim_lent *lent = loan->first;
    while (lent && (uintptr_t)p - (uintptr_t)lent->view >= lent->bytes)
        lent = lent->next;
    return lent;
}

void umsim_take_back(struct umsim_loan *loan, const void *view, size_t bytes)
{
    struct umsim_lent *lent = lent_at(loan, view);
    if (!lent || !bytes)
        return;
    const size_t offset = (size_t)((const char *)view - lent->view);
    if (bytes > lent->bytes - offset)
        bytes = lent->bytes - offset;
    umsim_managed_host_access(lent->own + offset, bytes, true);
}

void *umsim_own_address(const struct umsim_loan *loan, const void *p)
{
    const struct umsim_lent *lent = lent_at(loan, p);
    return lent ? lent->own + ((const char *)p - lent->view) : (void *)p;
}

void umsim_loan_end(struct umsim_loan *loan)
{
    const int error = errno;
    while (loan->more) {
        struct umsim_scratch *next = loan->more->next;
        munmap(loan->more, loan->more->bytes);
        loan->more = next;
    }
    errno = error;
}

/* The kernel reads a mask at an address and refuses the number in front of it: EINVAL tells that it could
 * read, EFAULT that it could not. */
static bool kernel_reads(const void *p)
{
    const long argument[UMSIM_ARGUMENTS] = {~0, (long)p, 0, 8};
    return umsim_real_number(SYS_rt_sigprocmask, argument) < 0 && errno == EINVAL;
}

bool umsim_is_readable(const void *p, size_t bytes)
{
    const int error = errno;
    uintptr_t at = umsim_round_down((uintptr_t)p, 8);
    const uintptr_t end = (uintptr_t)p + bytes;
    bool readable = true;
    if (umsim_is_lendable(p))
        return umsim_managed_for_host(p, bytes) == bytes;
    for (; readable && at < end; at = umsim_round_down(at + UMSIM_HOST_PAGE, UMSIM_HOST_PAGE))
        readable = kernel_reads((const void *)at);
    errno = error;
    return readable;
}
