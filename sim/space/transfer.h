/**
 * @file transfer.h
 * @brief Moves the bytes of copies and memsets, through the copy windows (arena.h).
 *
 * Host process only. Callers hold the simulator's lock.
 */
#ifndef UMSIM_TRANSFER_H
#define UMSIM_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A rectangle to copy or to fill, between addresses as the program knows them. Sizes are in bytes. */
struct umsim_transfer {
    uintptr_t to, from;
    size_t to_pitch, from_pitch, width, rows;
    int value;
    unsigned element; /* to fill: bytes of the value; 0 stands for one */
    bool staged;      /* `from` is memory of the simulator's own */
    bool continues;   /* a further part of a copy that has been counted as a call */
};

enum umsim_transfer_kind { UMSIM_COPY, UMSIM_SET };

/** Copies a rectangle, and counts that; or fills it. @return false when no memory holds such a rectangle */
bool umsim_transfer(enum umsim_transfer_kind kind, const struct umsim_transfer *what);

/** Where this process reads and writes [address, address + bytes) of the simulator's memory; NULL when not
 * all of it is there. */
char *umsim_transfer_window(uintptr_t address, size_t bytes);

#endif
