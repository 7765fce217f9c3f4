/**
 * @file play.h
 * @brief Lab 9: runs one workload with one kind of memory, and measures it as a row.
 *
 * The six lines in which the kinds differ are in get(), to_gpu() and to_host(); the rest is the same for
 * all.
 */
#ifndef LAB9_PLAY_H
#define LAB9_PLAY_H

#include "kernels.h"
#include "um_lab.h"
#include "workload.h"

/** A workload while it runs. */
struct play {
    struct lab9_workload work;
    enum lab9_kind kind;
    enum lab9_advice advice; /**< of LAB9_ADVISED */
    struct um_row *row;
    size_t n, used;  /**< floats; those that a kernel uses */
    float *h, *d;    /**< the array, as the host and as the GPU see it: one address, but for copies */
    uint32_t *index; /**< in device memory: where a gather reads */
    float *found;    /**< ... and what it found */
    double *sum;     /**< in device memory: the sum, and the partial sums of um_sum() */
};

/** Whether this device has the kind; if not, a row of the strategy gives the reason. */
bool can_play(struct um_run *run, enum lab9_kind kind);

/** One row: the workload with this kind of memory. @param name the row's */
void play(struct um_run *run, enum lab9_kind kind, const struct lab9_workload *work, const char *name,
          bool unlisted);

#endif
