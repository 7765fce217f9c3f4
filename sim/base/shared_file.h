/**
 * @file shared_file.h
 * @brief A file in memory that another process of the same user may open, as long as its owner keeps it.
 *
 * The owner's descriptor is where others find it (/proc/PID/fd). A number that nobody guesses is a part of
 * the file's name, so that a descriptor or a process of the same number is not taken for it.
 */
#ifndef UMSIM_SHARED_FILE_H
#define UMSIM_SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Plain data: it may be sent to another process. */
struct umsim_shared_file {
    uint64_t token, bytes;
    int32_t process, file; /* the owner, and its descriptor */
};

/** Makes one of `bytes` bytes, all 0. @return false, errno set: there is no descriptor or no memory */
bool umsim_shared_file_make(struct umsim_shared_file *out, size_t bytes);

/** A descriptor of a file of the same or another process's; the caller closes it. @return -1, errno set: the
 * owner has ended, or keeps it no more (ENOENT), or must not be looked at (EACCES) */
int umsim_shared_file_open(const struct umsim_shared_file *it);

/** The owner keeps it no more. What is mapped stays. */
void umsim_shared_file_close(const struct umsim_shared_file *it);

#endif
