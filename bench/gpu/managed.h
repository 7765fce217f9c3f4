/**
 * @file managed.h
 * @brief Ways to move managed memory: what each needs before, does, and leaves behind. managed.c measures
 * them, ways.c is the list.
 */
#ifndef BENCH_GPU_MANAGED_H
#define BENCH_GPU_MANAGED_H

#include "gpu.h"

enum { MANAGED_STREAMS = 8 };

/** The allocation of a cell, and what its ways use. */
struct managed {
    const struct gpu_run *run;
    double *p;
    size_t bytes;
    uint32_t stamp;  /**< what stands in each page now */
    double *mirror;  /**< as many bytes of pinned memory; NULL: no way needs it */
    uint64_t missed; /**< pages in which a way that reads did not find the stamp */
    cudaStream_t streams[MANAGED_STREAMS];
};

/** Where the pages are before the work; made anew for each sample. */
enum managed_before {
    BEFORE_HOST,    /**< moved to the host, then written there by several threads: a word a page */
    BEFORE_GPU,     /**< moved to the GPU, then written there: a word a page */
    BEFORE_FRESH,   /**< a new allocation that nobody has touched */
    BEFORE_ADVISED, /**< a new allocation, written by the host, then advised (managed_way.advice) */
    BEFORE_SHARED,  /**< the same, then read by the GPU */
};

/** What is checked after it. Data always. */
enum managed_after {
    AFTER_WRITTEN, /**< as AFTER_GPU, and the GPU has written all of it (MANAGED_WRITTEN) */
    AFTER_GPU,     /**< all pages are on the GPU: reading them again is much faster than the work was */
    AFTER_REMOTE,  /**< the GPU can read them, wherever they are */
    AFTER_HOST,    /**< the host can read them */
    AFTER_MIRROR,  /**< the mirror has the data */
};

/** The seed of what AFTER_WRITTEN finds. */
#define MANAGED_WRITTEN 1

/** One way. */
struct managed_way {
    const char *path, *shape;
    enum managed_before before;
    enum managed_after after;
    /** The work, with the wait for its end. */
    cudaError_t (*work)(struct managed *m, const struct managed_way *way);
    const struct gpu_touch *touch;
    /** memory that nobody has written: afterwards a stamp is put there, and looked for */
    bool moves_nothing;
    int threads, streams; /**< threads 0: as many as the run has */
    size_t piece;
    enum cudaMemoryAdvise advice[2]; /**< 0: none */
};

/** Fills `ways` with the list: neighbours of the same path are choices, of which the best is told. @return
 * how many */
unsigned managed_ways(struct managed_way *ways);
#define MANAGED_WAYS_MAX 64

/** Moves all of it, in one prefetch, and waits. @param device or cudaCpuDeviceId */
cudaError_t managed_move(struct managed *m, int device);

#endif
