/**
 * @file um_result.h
 * @brief Result rows: what one strategy cost, phase by phase, and whether its result was right.
 *
 * A strategy opens a row, names each phase as it enters it, and closes the row:
 *
 *     struct um_row *row = um_row(run, NULL);
 *     um_phase(row, UM_PHASE_ALLOC);
 *     UM_TRY(cudaMalloc(...));
 *     um_phase(row, UM_PHASE_H2D);
 *     UM_TRY(cudaMemcpy(...));
 *     um_phase(row, UM_PHASE_KERNEL);
 *     UM_TRY(um_vector_add(...));
 *     UM_TRY(cudaDeviceSynchronize()); // a launch returns at once: the time would land in the next phase
 *     um_phase(row, UM_PHASE_D2H);
 *     UM_TRY(cudaMemcpy(...));
 *     um_phase_end(row);
 *     um_row_verified(row, um_verify_floats(...));
 *
 * Times are read from the host's clock (um_now_us()), and the counters at the same points. A phase may be
 * entered many times: its times add up. Work outside of phases (filling, verifying, freeing) is not counted.
 * A row that is never verified counts as failed. A value that does not exist is `n/a` in the table and null
 * in JSON.
 */
#ifndef UM_RESULT_H
#define UM_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "um_counters.h"

struct um_run;

/** A count that does not exist (on cuda: every counter of the paging hardware). */
#define UM_NONE (-1)

/** Phases of a row. */
enum um_phase {
    UM_PHASE_ALLOC,  /**< allocating memory: cudaMalloc and related calls, pinning, registering */
    UM_PHASE_ADVICE, /**< calls of cudaMemAdvise, with what they map and unmap */
    UM_PHASE_H2D,    /**< bringing data to the device: copies, prefetch */
    UM_PHASE_KERNEL, /**< kernels, up to their synchronisation */
    UM_PHASE_D2H,    /**< bringing data back: copies, prefetch */
    UM_PHASE_HOST,   /**< the host's own writes and reads, with the page faults that these take */
    UM_PHASE_MIXED,  /**< several of these at once (overlap): counts in the total only */
    UM_PHASES,
};

/** Whether a row's result was right. */
enum um_verdict {
    UM_VERDICT_NO,      /**< wrong, or never verified */
    UM_VERDICT_YES,     /**< every element checked */
    UM_VERDICT_SKIPPED, /**< this device cannot do it; um_row_skip() gave the reason */
};

/** What a row of the table is marked as: see struct um_closing. */
enum um_mark {
    UM_MARK_NONE,
    UM_MARK_FASTEST,  /**< `*`, green on a terminal */
    UM_MARK_SURPRISE, /**< `!`, yellow on a terminal */
};

/** Kind of an extra column's value. */
enum um_extra_type { UM_EXTRA_NUMBER, UM_EXTRA_COUNT, UM_EXTRA_TEXT };

/** A value in an extra column, one that not every lab has. */
struct um_extra {
    const char *key;   /**< JSON key, e.g. "pin_us" */
    const char *title; /**< table header, e.g. "pin" */
    const char *unit;  /**< second header line, e.g. "us"; "" for none */
    enum um_extra_type type;
    double number;
    int decimals; /**< of a number in the table */
    int64_t count;
    char text[48];
};

/** The most extra columns that one row may have. */
#define UM_EXTRAS_MAX 8

/** One row. Doubles that do not exist are NAN, counts UM_NONE. Times are microseconds. */
struct um_row {
    char strategy[40];
    size_t size_bytes; /**< the run's size; a sweep overwrites it */
    int repeat;        /**< runs of which this one had the median total */
    double alloc_us, advice_us, h2d_us, kernel_us, d2h_us, host_us;
    double total_us;      /**< all phases, the mixed ones too */
    double bandwidth_gbs; /**< 10^9 bytes a second, as the lab's `bandwidth` line defines it */
    struct um_counters counters;
    enum um_verdict verdict;
    char reason[120]; /**< of a skip */
    struct um_extra extras[UM_EXTRAS_MAX];
    int extra_count;
    bool unlisted;   /**< while it is right, only JSON has it: the table leaves it out */
    int group;       /**< which strategy opened it: its place in the lab's table */
    double mixed_us; /**< time of UM_PHASE_MIXED */
    enum um_mark mark;
    /* Private to um_result.c: */
    bool judged; /**< um_row_verified() was called */
    int phase;   /**< the phase being measured, or -1 */
    double phase_start_us;
    struct um_counters phase_counters;
};

/** A lab's rows, in order. */
struct um_results {
    struct um_row **rows;
    size_t count, capacity;
    bool lost; /**< a row could not be kept (out of memory): the results are not complete */
};

/**
 * Opens the next row of this run. The row belongs to the run's results and stays at its address. After an
 * error, leave the row as it is: its verdict is then NO.
 * @param name shown as the strategy; NULL for the running strategy's own name. A strategy may open several
 * rows (a sweep, a row per phase); they must come in the same order in each repetition.
 */
struct um_row *um_row(struct um_run *run, const char *name);

/** Ends the current phase, if any, and begins `phase`: reads the clock and the counters. */
void um_phase(struct um_row *row, enum um_phase phase);

/** Ends the current phase, if any. What follows is not counted until the next um_phase(). */
void um_phase_end(struct um_row *row);

/** Time spent in `phase` so far, microseconds; NAN when the row was never in it. */
double um_phase_us(const struct um_row *row, enum um_phase phase);

/** Records whether the row's result was right. Several calls add up: one false is enough for NO. */
void um_row_verified(struct um_row *row, bool right);

/**
 * Marks the row as one that this device cannot run. That is no failure; the reason is printed below the
 * table.
 */
void um_row_skip(struct um_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * @name Bytes that the lab copied itself
 * On cuda they become the row's copied bytes. On sim these calls do nothing: the simulator has counted the
 * bytes. @{
 */
void um_row_copied_h2d(struct um_row *row, size_t bytes);
void um_row_copied_d2h(struct um_row *row, size_t bytes);
/** ... from one device to another. */
void um_row_copied_d2d(struct um_row *row, size_t bytes);
/** @} */

/**
 * @name Extra columns
 * `key`, `title` and `unit` must live as long as the program. A row without the value shows n/a. @{
 */
void um_extra_number(struct um_row *row, const char *key, const char *title, const char *unit, double value,
                     int decimals);
void um_extra_count(struct um_row *row, const char *key, const char *title, const char *unit, int64_t value);
void um_extra_text(struct um_row *row, const char *key, const char *title, const char *unit,
                   const char *value);
/** @} */

/** The number or count of the row's column `key`; NAN where it has none. */
double um_extra_value(const struct um_row *row, const char *key);

/** Bandwidth in 10^9 bytes a second; NAN when `us` is not positive. */
double um_gbs(double bytes, double us);

/** The first row called `name`, or NULL. */
const struct um_row *um_results_find(const struct um_results *results, const char *name);

/**
 * Adds an empty row, as um_row() does, for tests and programs without um_lab_main(). um_results_free() frees
 * it. When out of memory it prints that, and returns a spare row that is not shown; the results then count as
 * failed.
 */
struct um_row *um_results_add(struct um_results *results, const char *name, size_t size_bytes);

/** Frees all rows. */
void um_results_free(struct um_results *results);

/**
 * Joins the repetitions of one strategy. For each row, the run with the (lower) median total stands for all;
 * the row is verified only when all runs were, and contended when any was. Rows move to `out`; `repetitions`
 * is emptied.
 */
void um_results_join(struct um_results *out, struct um_results *repetitions, int repeat);

#endif
