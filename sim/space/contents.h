/**
 * @file contents.h
 * @brief What is in the device's memory, as a number: whether it is the same as at an earlier time.
 *
 * The number is made of each allocation's address, size and contents (and of each module's `__device__`
 * variables). What has not been written since is not read again: copies and memsets tell what they write
 * (transfer.h), and a kernel that runs may write anything.
 *
 * Two contents count as the same if their numbers are; for contents that differ, each allocation's number is
 * the same with a probability of 2^-64.
 *
 * One device, host process only, with the simulator's lock.
 */
#ifndef UMSIM_CONTENTS_H
#define UMSIM_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** More allocations than this are not looked at. */
#define UMSIM_CONTENTS_PARTS 512
/** Nor is more memory: an allocation that nobody has touched yet gets pages by being read. */
#define UMSIM_CONTENTS_BYTES (UINT64_C(1) << 30)

/** One allocation. */
struct umsim_part {
    char *base;
    size_t bytes; /* whole pages */
    uint64_t number;
};

struct umsim_contents {
    uint64_t number;
    size_t count;
    struct umsim_part part[UMSIM_CONTENTS_PARTS]; /* lowest address first */
};

/** A kernel is about to run, and may write to all of the device's memory. */
void umsim_contents_may_change(void);

/** Whether no kernel has run since the contents were last taken: most of them are known. */
bool umsim_contents_hold(void);

/** A copy or a memset writes to [p, p + bytes). */
void umsim_contents_written(const void *p, size_t bytes);

/**
 * How many bytes umsim_contents_take() would read.
 * @param[out] all how many it would read if nothing were known
 * @return false when kernels reach memory whose contents change without a call (pinned, registered, managed,
 * or shared with other processes), or more than is looked at
 */
bool umsim_contents_unread(size_t *unread, size_t *all);

/** What there is now, where umsim_contents_unread() returns true. */
void umsim_contents_take(struct umsim_contents *now);

/** Where this process reads and writes a part. */
char *umsim_contents_of(const struct umsim_part *part);

/** The part holds what had this number: the caller has put it there. */
void umsim_contents_put(const struct umsim_part *part);

#endif
