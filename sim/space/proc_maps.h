/**
 * @file proc_maps.h
 * @brief Reads /proc/PID/maps without using the heap.
 *
 * Only one thread of a process may use it at a time.
 */
#ifndef UMSIM_PROC_MAPS_H
#define UMSIM_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct umsim_mapping {
    uintptr_t start, end;
    char protection[5]; /* "rw-p" */
    uint64_t offset;    /* in the file */
    uint64_t file;      /* device and inode, mixed into one number; 0: no file */
    const char *path;   /* "" for none; valid only during the visit */
};

/** Calls `visit` for each line of an opened file. @return whether the file could be read to its end */
bool umsim_proc_maps_each(int fd, void (*visit)(const struct umsim_mapping *));

#endif
