/**
 * @file client_memory.c
 * @brief Implementation of client_memory.h: reading and writing the client's memory; registered memory.
 */
#include "client_memory.h"
#include "../base/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

static pid_t client;
static uintptr_t bad;
static bool bad_write;

void umsim_client_is(pid_t process)
{
    client = process;
}

bool umsim_client_is_gone(void)
{
    return client == 0;
}

uintptr_t umsim_client_bad(bool *writes)
{
    const uintptr_t first = bad;
    *writes = bad_write;
    bad = 0;
    return first;
}

static bool move(char *here, const char *there, size_t bytes, bool writes)
{
    for (size_t done = 0; done < bytes;) {
        const struct iovec mine = {here + done, bytes - done},
                           its = {(void *)(uintptr_t)(there + done), bytes - done};
        const ssize_t moved = writes ? process_vm_writev(client, &mine, 1, &its, 1, 0)
                                     : process_vm_readv(client, &mine, 1, &its, 1, 0);
        if (moved <= 0) {
            if (!bad) {
                bad = (uintptr_t)(there + done);
                bad_write = writes;
            }
            return false;
        }
        done += (size_t)moved;
    }
    return true;
}

bool umsim_client_read(void *to, const void *from, size_t bytes)
{
    return client && move(to, from, bytes, false);
}

bool umsim_client_write(void *to, const void *from, size_t bytes)
{
    return client && move((char *)(uintptr_t)from, to, bytes, true);
}

/* ---- registered memory ---- */

/* What the client has registered. Neighbours may share a page: their first and last ones only, because ranges
 * do not overlap. */
static struct range {
    uintptr_t start, end; /* bytes */
    bool is_students;
} * ranges;
static size_t count, capacity;
static struct range given; /* pages */
static bool lent;          /* to a student's process */
static uintptr_t fresh;    /* the range that was adopted last, if nothing has gone wrong */

static uintptr_t first_page(const struct range *it)
{
    return umsim_round_down(it->start, UMSIM_HOST_PAGE);
}

static uintptr_t behind_last_page(const struct range *it)
{
    return umsim_round_up(it->end, UMSIM_HOST_PAGE);
}

/* The pages of a range that no other one has. */
static struct range own_pages(const struct range *it)
{
    struct range own = {first_page(it), behind_last_page(it), it->is_students};
    for (size_t i = 0; i < count; i++) {
        if (&ranges[i] == it || ranges[i].start == it->start)
            continue;
        if (behind_last_page(&ranges[i]) > own.start && ranges[i].start < it->start)
            own.start = behind_last_page(&ranges[i]);
        if (first_page(&ranges[i]) < own.end && ranges[i].start > it->start)
            own.end = first_page(&ranges[i]);
    }
    if (own.start > own.end)
        own.start = own.end;
    return own;
}

static bool fits(struct range new)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].start < new.end &&new.start < ranges[i].end)
            return false;
    if (count < capacity)
        return true;
    struct range *grown = realloc(ranges, (capacity * 2 + 16) * sizeof *ranges);
    if (!grown)
        return false;
    ranges = grown;
    capacity = capacity * 2 + 16;
    return true;
}

bool umsim_client_adopt(const void *p, size_t bytes)
{
    fresh = 0;
    const struct range new = {(uintptr_t)p, (uintptr_t)p + bytes, lent};
    if (new.end < new.start || !fits(new))
        return false;
    const struct range pages = own_pages(&new);
    const size_t all = pages.end - pages.start;
    if (all) {
        char *here = mmap((void *)pages.start, all, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (here != (char *)pages.start || !umsim_client_read(here, here, all)) {
            if (here != MAP_FAILED)
                munmap(here, all);
            return false;
        }
    }
    ranges[count++] = new;
    fresh = new.start;
    return true;
}

void umsim_client_disown(const void *p)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].start == (uintptr_t)p) {
            given = own_pages(&ranges[i]);
            ranges[i] = ranges[--count];
            return;
        }
}

void umsim_client_is_lent(bool is)
{
    lent = is;
}

void *umsim_client_students_registered(void)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].is_students)
            return (void *)ranges[i].start;
    return NULL;
}

void umsim_client_release_unused(void)
{
    if (!fresh)
        return;
    umsim_client_disown((void *)fresh);
    if (given.end > given.start)
        munmap((void *)given.start, given.end - given.start);
    given = (struct range){0, 0, false};
}

void umsim_client_given(uintptr_t *from, size_t *bytes)
{
    *from = given.start;
    *bytes = given.end - given.start;
}

void umsim_client_give(void)
{
    const size_t bytes = given.end - given.start;
    if (!bytes)
        return;
    umsim_client_write((void *)given.start, (void *)given.start, bytes);
    munmap((void *)given.start, bytes);
    given = (struct range){0, 0, false};
}
