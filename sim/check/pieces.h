/**
 * @file pieces.h
 * @brief Which bytes of the kernels' heap (space/heap.h) a kernel has been given, and by which line.
 *
 * A note for each 16 bytes, in memory that both processes share: how many of them are a piece's, whether one
 * begins there, and the place that asked for it. In a checked program 16 bytes are left free behind each
 * piece; a GPU needs more than that for itself. Each device has its own heap, and notes of its own.
 */
#ifndef UMSIM_CHECK_PIECES_H
#define UMSIM_CHECK_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes behind each piece. */
#define UMSIM_PIECES_GAP 16

/** Host process, before the fork: reserves memory. */
bool umsim_pieces_start(void);

/** Host process, while nothing runs: a device's heap is emptied. */
void umsim_pieces_reset(unsigned device);

/** GPU process: a kernel is given [p, p + bytes), or gives a piece back. */
void umsim_pieces_taken(const void *p, size_t bytes, const void *caller);
void umsim_pieces_given_back(const void *p);

/** Whether all of [p, p + bytes) is a piece's. */
bool umsim_pieces_hold(uintptr_t p, size_t bytes);

/** Host process: calls `visit` for each place whose pieces were not given back, device by device. */
struct umsim_pieces_left {
    const void *caller;
    uint64_t count, bytes;
};
void umsim_pieces_each_left(void (*visit)(const struct umsim_pieces_left *left, void *own), void *own);

#endif
