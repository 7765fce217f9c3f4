/**
 * @file paths.h
 * @brief The measurements of lab 0: each function times one path, checks what arrived, and leaves one row.
 */
#ifndef LAB0_PATHS_H
#define LAB0_PATHS_H

#include "kernels.h"
#include "um_lab.h"

#define NODES ((size_t)1 << 14) /* dependent reads of a latency measurement */

extern float *h_data;      /**< the host's data, pageable */
extern size_t array_bytes; /**< the bytes that each row moves and touches */

/** Makes the data, before the first row. False, after it has printed the reason, when out of memory. */
bool setup(const struct um_options *options);

/** Frees the data, after the last row. */
void teardown(void);

/** One cudaMemcpy, timed. Host to device is checked by copying back, untimed. */
void copy(struct um_run *run, const char *name, void *to, const void *from, enum cudaMemcpyKind kind);

/** Copies both ways between the device and one kind of host memory. */
void both_ways(struct um_run *run, const char *to_device, const char *to_host, float *h_x);

/** One cudaMemcpyPeer from device 0's memory, which holds the data, to device 1's, timed. */
void copy_to_peer(struct um_run *run, const char *name, void *to, const void *from);

/** A kernel reads all of `x`, which holds the data. */
void kernel_reads(struct um_run *run, const char *name, const float *x);

/** A kernel writes all of `x`. */
void kernel_writes(struct um_run *run, const char *name, float *x);

/** Moves managed memory ahead of its use, timed. */
void prefetch(struct um_run *run, const char *name, const float *x, int to);

/** The host touches one float of each page, which brings the pages back. */
void host_touches(struct um_run *run, const char *name, const float *x);

/**
 * Makes a ring of indices: `nodes` words, `apart` words from one to the next, each of which holds the index
 * of the next.
 */
uint64_t *make_ring(size_t bytes, size_t nodes, size_t apart, uint64_t seed);

/**
 * One thread follows the ring; each read waits for the one before. `x` is where the kernel finds the ring.
 */
void chase(struct um_row *row, const uint64_t *ring, const uint64_t *x, size_t nodes);

/** A row for many copies of 4 bytes, timed together: what one call costs. */
void small_copies(struct um_run *run, const char *name, int *d_x, int *h_x);

/** A row for many launches of a kernel of one thread, each waited for: what one launch costs. */
void launches(struct um_run *run, int *d_x);

#endif
