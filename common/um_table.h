/**
 * @file um_table.h
 * @brief Prints result rows as a table, as JSON (umlab/1), and as the last line of a lab.
 *
 * um_lab_main() calls these functions. The table has two header lines, names and units. Text is left-aligned
 * and numbers are right-aligned; a value that does not exist is n/a. It fits um_width(): columns with nothing
 * but n/a or 0 are left out, a size that all rows share stands above, and what is
 * still too wide comes in two tables or more: times, then what moved. A strategy that begins a section begins
 * a table. A row is marked `~` when its counts depend on an order that the program left open, `*` and `!` as
 * struct um_closing says.
 */
#ifndef UM_TABLE_H
#define UM_TABLE_H

#include <stdio.h>

#include "um_result.h"

struct um_closing;
struct um_lab;
struct um_options;

/** Columns that a lab may leave out of its table (JSON always has them all). @{ */
#define UM_COLUMN_SIZE 0x001u
#define UM_COLUMN_PHASES 0x002u /**< alloc, advice, host, H2D, kernel, D2H */
#define UM_COLUMN_TOTAL 0x004u
#define UM_COLUMN_BANDWIDTH 0x008u
#define UM_COLUMN_COPIED 0x010u   /**< bytes copied each way */
#define UM_COLUMN_FAULTS 0x020u   /**< CPU faults, GPU fault groups */
#define UM_COLUMN_MIGRATED 0x040u /**< managed bytes moved each way */
#define UM_COLUMN_EVICTIONS 0x080u
/** @} */
/** No column but the strategy, the verdict, and those that the lab's rows add themselves. */
#define UM_COLUMNS_OWN 0x800u
/** The columns that count managed memory's paging. */
#define UM_COLUMNS_PAGING (UM_COLUMN_FAULTS | UM_COLUMN_MIGRATED | UM_COLUMN_EVICTIONS)
/** A lab that sets no columns gets these. */
#define UM_COLUMNS_DEFAULT                                                                                   \
    (UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_BANDWIDTH | UM_COLUMN_COPIED |          \
     UM_COLUMN_FAULTS | UM_COLUMN_MIGRATED)

/** Prints the table, the reasons for skips, and what `~` and GB/s mean in it. */
void um_table_print(const struct um_lab *lab, const struct um_results *results, FILE *out);

/** Prints `lab1: 4 strategies, all verified (sim, h200-pcie5, modelled times)`, or how many were not. */
void um_last_line_print(const struct um_lab *lab, const struct um_results *results, FILE *out);

/** UM_EXIT_OK when every row is verified or skipped and at least one row exists, else UM_EXIT_FAILED. */
int um_results_exit(const struct um_results *results);

/**
 * Checks, before anything is printed, that JSON can be written to `path`; leaves nothing behind.
 * @return NULL, else what is wrong (strerror's text), valid until the next call.
 */
const char *um_json_probe(const char *path);

/**
 * Writes the rows as umlab/1, and the closing sentence. A regular file appears whole or not at all: the text
 * goes to a temporary file in the same folder, which is flushed and renamed. "-" is stdout.
 * @return NULL, else what went wrong (such as a full disk).
 */
const char *um_json_write(const char *path, const struct um_lab *lab, const struct um_options *options,
                          const struct um_results *results, const struct um_closing *closing);

#endif
