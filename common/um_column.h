/**
 * @file um_column.h
 * @brief The columns of a lab's table: what each holds of a row, as text. For um_table.c.
 */
#ifndef UM_COLUMN_H
#define UM_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "um_result.h"

/** Size of one cell's text. */
#define UM_CELL 64

/** The most columns of a table: the standard ones, and the extra ones of several strategies. */
#define UM_COLUMNS_MAX 40

/** Kind of a column's values. */
enum um_column_type {
    UM_CELL_STRATEGY,
    UM_CELL_SIZE, /**< each with its own unit: it names the row */
    UM_CELL_TIME,
    UM_CELL_NUMBER,
    UM_CELL_COUNT,
    UM_CELL_BYTES, /**< all in the column's unit */
    UM_CELL_EXTRA,
    UM_CELL_VERDICT,
};

/** What a column tells of: a table that is too wide is cut between these. */
enum um_topic {
    UM_TOPIC_ROW,      /**< which row: in each part of the table */
    UM_TOPIC_TIME,     /**< how long, how fast */
    UM_TOPIC_MOVEMENT, /**< what moved, how often, and whatever else a lab tells */
    UM_TOPIC_VERDICT,  /**< beside the times */
};

/** One column. */
struct um_column {
    const char *title, *unit; /**< the two lines of its head */
    enum um_column_type type;
    enum um_topic topic;
    size_t offset;    /**< of the value in struct um_row */
    int64_t unit_one; /**< UM_CELL_BYTES: how many bytes one of the unit is */
    int decimals;
    const char *key; /**< UM_CELL_EXTRA */
    size_t width;    /**< of its widest text, head or cell */
    bool empty;      /**< nothing but n/a and 0 in any row */
};

/** The columns of a table, in order. */
struct um_columns {
    struct um_column at[UM_COLUMNS_MAX];
    size_t count;
    const struct um_results *results;
};

/** Makes the columns that `chosen` (UM_COLUMN_...) names and those of the rows' extras, and measures them. */
void um_columns_make(struct um_columns *columns, unsigned chosen, const struct um_results *results);

/** Writes a row's cell into `text` (UM_CELL bytes). */
void um_column_text(const struct um_column *column, const struct um_row *row, char *text);

/** Whether a cell's text is n/a, or a number that shows as 0. */
bool um_column_says_nothing(const char *text);

/** The size that all rows have; 0 where they differ, or where there is no row. */
size_t um_columns_one_size(const struct um_results *results);

#endif
