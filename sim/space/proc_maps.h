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
#include <sys/types.h>

struct umsim_mapping {
    uintptr_t start, end;
    char protection[5]; /* "rw-p" */
    uint64_t offset;    /* in the file */
    uint64_t file;      /* device and inode, mixed into one number; 0: no file */
    dev_t device;       /* the file system's */
    bool huge_pages;    /* memory of huge pages */
    const char *path;   /* "" for none; valid only during the visit, or until the next call */
};

/** The number of a file, as in umsim_mapping.file. */
uint64_t umsim_mapping_file(uint64_t inode, uint64_t major, uint64_t minor);

/** Whether a mapping is of a file that is not just memory: its path begins with '/'. Memory that was
 * registered shows as the simulator's memory file. */
bool umsim_mapping_of_file(const struct umsim_mapping *mapping);

/** Calls `visit` for each line of an opened file. @return whether the file could be read to its end */
bool umsim_proc_maps_each(int fd, void (*visit)(const struct umsim_mapping *));

/** Finds the mapping that holds `address`, or else the next one behind it. @return whether there is one, and
 * the list can be read */
bool umsim_proc_maps_find(int fd, uintptr_t address, struct umsim_mapping *found);

#endif
