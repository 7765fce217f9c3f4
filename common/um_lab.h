/**
 * @file um_lab.h
 * @brief The frame of a lab: describe the lab, write one function per strategy, call um_lab_main().
 *
 *     static const struct um_strategy strategies[] = {
 *         {"pageable", "malloc'd memory, one copy each way", pageable},
 *         ...
 *     };
 *     static const struct um_lab lab = {.name = "lab1", .question = "...", .strategies = strategies,
 *                                       .strategy_count = UM_COUNT(strategies), ...};
 *     int main(int argc, char **argv) { return um_lab_main(&lab, argc, argv); }
 *
 * um_lab_main() reads the options, finds the device, checks that the size fits, and runs each chosen
 * strategy `--repeat` times. Then it prints the table (and JSON) and the last line, and returns the exit
 * code: 0 all verified, 1 a check failed, 2 cannot run here. This header includes all of common/; the lab
 * itself makes the CUDA calls, by their own names.
 */
#ifndef UM_LAB_H
#define UM_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime_api.h>

#include "um_address.h"
#include "um_answer.h"
#include "um_backend.h"
#include "um_check.h"
#include "um_closing.h"
#include "um_counters.h"
#include "um_cuda_compat.h"
#include "um_fault.h"
#include "um_fill.h"
#include "um_options.h"
#include "um_result.h"
#include "um_residency_bar.h"
#include "um_table.h"
#include "um_text.h"
#include "um_time.h"

/** Number of elements of an array. */
#define UM_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** One run of one strategy, as its function gets it. */
struct um_run {
    const struct um_lab *lab;
    const struct um_options *options;
    const char *strategy;       /**< name of the strategy that runs */
    size_t size;                /**< options->size, bytes */
    uint64_t seed;              /**< options->seed */
    int group;                  /**< the strategy's place in the lab's table */
    int repetition;             /**< 0, 1, ... options->repeat - 1 */
    struct um_results *results; /**< private: um_row() adds to it */
};

/** One strategy of a lab. */
struct um_strategy {
    const char *name;    /**< lower case, dashes: what --strategy takes */
    const char *summary; /**< half a line for --help */
    /** Opens rows with um_row(), and cleans up after itself, also on errors. */
    void (*run)(struct um_run *run);
};

/** From which strategy on the rows stand in a table of their own. */
struct um_section {
    const char *strategy; /**< name of the first one */
    const char *title;    /**< the line above the table */
};

/** Describes a lab. Each field that may be left 0 says what 0 means. */
struct um_lab {
    const char *name;     /**< "lab1" */
    const char *question; /**< the question that it answers */
    const char *about;    /**< a few lines for --help; may be NULL */
    const char *size_is;  /**< what --size is the size of: "bytes of each array" */
    size_t default_size;  /**< bytes */
    size_t minimum_size;  /**< bytes; 0: 1 */
    size_t size_multiple; /**< a --size is rounded up to this multiple; 0: 4 */
    int default_repeat;   /**< 0: 1 */
    double device_arrays; /**< device memory held at once, in units of --size; checked against what is free */
    double host_arrays;   /**< host memory (pinned too), likewise */
    double managed_arrays; /**< managed memory, likewise; on cuda checked by um_managed_allowed() before the
                              run */
    const char *bandwidth; /**< what GB/s counts, for the line below the table; NULL: no such column */
    unsigned columns;      /**< UM_COLUMN_...; 0: UM_COLUMNS_DEFAULT */
    const struct um_strategy *strategies;
    size_t strategy_count;
    const struct um_section *sections;   /**< in the strategies' order, ended by a row of NULL; may be NULL */
    const struct um_lab_option *options; /**< the lab's own, ended by a row of NULL; may be NULL */
    const struct um_question *questions; /**< what it answers, ended by a row of NULL; may be NULL */
    /**
     * Called once before the first strategy; returns false, after it has printed the reason, to leave with
     * exit code 2. May be NULL.
     */
    bool (*setup)(const struct um_options *options);
    /** Called before the table; `out` is where the table goes (not called with --quiet). May be NULL. */
    void (*before)(const struct um_results *results, FILE *out);
    /**
     * Called after the table and before the last line, for a timeline or a break-even, say. Not called with
     * --quiet. May be NULL.
     */
    void (*after)(const struct um_results *results, FILE *out);
    /** Fills in what is said last, and which rows are marked (um_closing.h). May be NULL. */
    void (*closing)(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing);
    /** Called once at the end, also after a failed setup. May be NULL. */
    void (*teardown)(void);
};

/** A lab's `before`: the attributes of the device that managed memory depends on. */
void um_print_managed(const struct um_results *results, FILE *out);

/** Runs the lab. @return the exit code for main(). */
int um_lab_main(const struct um_lab *lab, int argc, char **argv);

#endif
