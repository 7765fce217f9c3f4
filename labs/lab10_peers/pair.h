/**
 * @file pair.h
 * @brief Lab 10: the two devices, access between them, and what a row tells of the bytes that moved.
 *
 * Each device has two streams: one for kernels, one for copies that shall not wait for them. A function that
 * makes a device current leaves it so; each strategy begins on device 0 (pair_begin()).
 */
#ifndef LAB10_PAIR_H
#define LAB10_PAIR_H

#include "kernels.h"
#include "um_lab.h"

#define DEVICES 2

/** Streams of each device. */
struct side {
    cudaStream_t kernels, copies;
};
extern struct side side[DEVICES];

/** Finds two devices and makes their streams. @return false, after a line that says what is missing */
bool pair_open(void);
void pair_close(void);

/** Whether kernels of each device may reach the other's memory, once it is enabled. */
bool pair_reaches(void);
/** Why there is no managed memory of two devices; NULL: there is. */
const char *pair_lacks_managed(void);

/** What a strategy needs beside two devices. */
enum pair_need { NEEDS_NOTHING = 0, NEEDS_ACCESS = 1, NEEDS_MANAGED = 2 };

/** Begins a strategy: its row, with access between the devices where it needs that, and without elsewhere.
 * @return NULL where this machine cannot: the row says why */
struct um_row *pair_begin(struct um_run *run, unsigned needs);
/** Its end: no access is left enabled, device 0 is current. */
void pair_end(void);

/** Makes `device` current. */
cudaError_t pair_on(int device);
/** Waits for both devices. */
cudaError_t pair_wait(void);
/** Lets `stream` go on when `event`, which may be the other device's, has been passed. */
cudaError_t pair_after(cudaStream_t stream, cudaEvent_t event);

/** Memory of a device. Freed by cudaFree(), whatever device is current. */
cudaError_t pair_malloc(int device, void **p, size_t bytes);

/**
 * Columns of bytes: to the devices, to the host and between the devices, by copies and pages that moved; and
 * what kernels read and wrote in the other device's memory, which nothing counts on a GPU: it is worked out,
 * and none where the devices cannot reach it.
 */
void pair_tell(struct um_row *row, double far_bytes);

#endif
