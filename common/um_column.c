/**
 * @file um_column.c
 * @brief Implementation of um_column.h: which columns there are, their units, and the text of each cell.
 */
#include "um_column.h"
#include "um_lab.h"

#include <math.h>

static struct um_column *add(struct um_columns *columns, const char *title, const char *unit,
                             enum um_column_type type, size_t offset)
{
    struct um_column *column = &columns->at[columns->count];

    if (columns->count + 1 < UM_COLUMNS_MAX)
        columns->count++; /* the last place is overwritten: never past the end */
    *column = (struct um_column){.title = title, .unit = unit, .type = type, .offset = offset};
    column->topic = type == UM_CELL_TIME || type == UM_CELL_NUMBER     ? UM_TOPIC_TIME
                    : type == UM_CELL_STRATEGY || type == UM_CELL_SIZE ? UM_TOPIC_ROW
                    : type == UM_CELL_VERDICT                          ? UM_TOPIC_VERDICT
                                                                       : UM_TOPIC_MOVEMENT;
    return column;
}

static int64_t count_of(const struct um_column *column, const struct um_row *row)
{
    int64_t count;

    memcpy(&count, (const char *)row + column->offset, sizeof count);
    return count;
}

/* Two columns of bytes, there and back, get one unit: the largest in which the smallest value of both is at
 * least 1; with decimals where needed. */
static void add_bytes_both_ways(struct um_columns *columns, const char *title, size_t there, size_t back)
{
    static const char *const units[][2] = {
        {"B H2D", "B D2H"}, {"KiB H2D", "KiB D2H"}, {"MiB H2D", "MiB D2H"}, {"GiB H2D", "GiB D2H"}};
    const struct um_results *results = columns->results;
    struct um_column *pair[2] = {add(columns, title, "", UM_CELL_BYTES, there),
                                 add(columns, title, "", UM_CELL_BYTES, back)};
    int64_t least = 0, one = 1;
    size_t unit = 0;

    for (size_t i = 0; i < 2 * results->count; i++) {
        const int64_t bytes = count_of(pair[i % 2], results->rows[i / 2]);

        if (bytes > 0 && (least == 0 || bytes < least))
            least = bytes;
    }
    while (unit + 1 < UM_COUNT(units) && least >= one * 1024) {
        one *= 1024;
        unit++;
    }
    for (int way = 0; way < 2; way++) {
        pair[way]->unit = units[unit][way];
        pair[way]->unit_one = one;
        for (size_t i = 0; i < results->count; i++) {
            const int64_t bytes = count_of(pair[way], results->rows[i]);

            if (bytes > 0 && bytes % one != 0)
                pair[way]->decimals = 2;
        }
    }
}

/* Times, rates and what takes time, by the unit. */
static bool is_time(const char *unit)
{
    return strcmp(unit, "us") == 0 || strcmp(unit, "ns") == 0 || strcmp(unit, "GB/s") == 0 ||
           strcmp(unit, "calls") == 0;
}

static void add_extras(struct um_columns *columns)
{
    for (size_t i = 0; i < columns->results->count; i++) {
        const struct um_row *row = columns->results->rows[i];

        for (int e = 0; e < row->extra_count; e++) {
            const struct um_extra *extra = &row->extras[e];
            struct um_column *column;
            size_t c = 0;

            while (c < columns->count &&
                   (!columns->at[c].key || strcmp(columns->at[c].key, extra->key) != 0)) {
                c++;
            }
            if (c < columns->count)
                continue;
            column = add(columns, extra->title, extra->unit, UM_CELL_EXTRA, 0);
            column->key = extra->key;
            column->topic = is_time(extra->unit) ? UM_TOPIC_TIME : UM_TOPIC_MOVEMENT;
        }
    }
}

static void number_text(double value, int decimals, char *text)
{
    if (isnan(value))
        snprintf(text, UM_CELL, "n/a");
    else
        snprintf(text, UM_CELL, "%.*f", decimals, value);
}

static void extra_text(const struct um_column *column, const struct um_row *row, char *text)
{
    snprintf(text, UM_CELL, "n/a");
    for (int e = 0; e < row->extra_count; e++) {
        const struct um_extra *extra = &row->extras[e];

        if (strcmp(extra->key, column->key) != 0)
            continue;
        if (extra->type == UM_EXTRA_NUMBER)
            number_text(extra->number, extra->decimals, text);
        if (extra->type == UM_EXTRA_TEXT)
            snprintf(text, UM_CELL, "%s", extra->text);
        if (extra->type == UM_EXTRA_COUNT && extra->count != UM_NONE)
            snprintf(text, UM_CELL, "%lld", (long long)extra->count);
    }
}

static const char *verdict_text(enum um_verdict verdict)
{
    if (verdict == UM_VERDICT_SKIPPED)
        return "skipped";
    return verdict == UM_VERDICT_YES ? "yes" : "NO";
}

static const char *mark_text(enum um_mark mark)
{
    if (mark == UM_MARK_SURPRISE)
        return " !";
    return mark == UM_MARK_FASTEST ? " *" : "";
}

void um_column_text(const struct um_column *column, const struct um_row *row, char *text)
{
    double number;
    int64_t count;

    switch (column->type) {
    case UM_CELL_STRATEGY:
        snprintf(text, UM_CELL, "%s%s%s", row->strategy, row->counters.contended > 0 ? " ~" : "",
                 mark_text(row->mark));
        return;
    case UM_CELL_SIZE:
        um_size_text((double)row->size_bytes, text);
        return;
    case UM_CELL_TIME:
    case UM_CELL_NUMBER:
        memcpy(&number, (const char *)row + column->offset, sizeof number);
        number_text(number, column->type == UM_CELL_TIME ? 1 : 2, text);
        return;
    case UM_CELL_COUNT:
    case UM_CELL_BYTES:
        count = count_of(column, row);
        if (count == UM_NONE)
            snprintf(text, UM_CELL, "n/a");
        else if (column->type == UM_CELL_COUNT)
            snprintf(text, UM_CELL, "%lld", (long long)count);
        else
            number_text((double)count / (double)column->unit_one, column->decimals, text);
        return;
    case UM_CELL_EXTRA:
        extra_text(column, row, text);
        return;
    case UM_CELL_VERDICT:
        snprintf(text, UM_CELL, "%s", verdict_text(row->verdict));
        return;
    }
}

bool um_column_says_nothing(const char *text)
{
    return strcmp(text, "n/a") == 0 || strspn(text, "0.") == strlen(text);
}

static void measure(struct um_columns *columns)
{
    char text[UM_CELL];

    for (size_t c = 0; c < columns->count; c++) {
        struct um_column *column = &columns->at[c];
        const size_t title = strlen(column->title), unit = strlen(column->unit);

        column->width = title > unit ? title : unit;
        column->empty = column->topic == UM_TOPIC_TIME || column->topic == UM_TOPIC_MOVEMENT;
        for (size_t i = 0; i < columns->results->count; i++) {
            um_column_text(column, columns->results->rows[i], text);
            if (strlen(text) > column->width)
                column->width = strlen(text);
            column->empty = column->empty && um_column_says_nothing(text);
        }
    }
}

size_t um_columns_one_size(const struct um_results *results)
{
    for (size_t i = 1; i < results->count; i++) {
        if (results->rows[i]->size_bytes != results->rows[0]->size_bytes)
            return 0;
    }
    return results->count > 0 ? results->rows[0]->size_bytes : 0;
}

void um_columns_make(struct um_columns *columns, unsigned chosen, const struct um_results *results)
{
    *columns = (struct um_columns){.results = results};
    add(columns, "strategy", "", UM_CELL_STRATEGY, 0);
    if (chosen & UM_COLUMN_SIZE)
        add(columns, "size", "", UM_CELL_SIZE, 0);
    if (chosen & UM_COLUMN_PHASES) {
        add(columns, "alloc", "us", UM_CELL_TIME, offsetof(struct um_row, alloc_us));
        add(columns, "advice", "us", UM_CELL_TIME, offsetof(struct um_row, advice_us));
        add(columns, "host", "us", UM_CELL_TIME, offsetof(struct um_row, host_us));
        add(columns, "H2D", "us", UM_CELL_TIME, offsetof(struct um_row, h2d_us));
        add(columns, "kernel", "us", UM_CELL_TIME, offsetof(struct um_row, kernel_us));
        add(columns, "D2H", "us", UM_CELL_TIME, offsetof(struct um_row, d2h_us));
    }
    if (chosen & UM_COLUMN_TOTAL)
        add(columns, "total", "us", UM_CELL_TIME, offsetof(struct um_row, total_us));
    if (chosen & UM_COLUMN_BANDWIDTH)
        add(columns, "rate", "GB/s", UM_CELL_NUMBER, offsetof(struct um_row, bandwidth_gbs));
    if (chosen & UM_COLUMN_COPIED)
        add_bytes_both_ways(columns, "copied", offsetof(struct um_row, counters.bytes_h2d),
                            offsetof(struct um_row, counters.bytes_d2h));
    if (chosen & UM_COLUMN_FAULTS) {
        add(columns, "CPU", "faults", UM_CELL_COUNT, offsetof(struct um_row, counters.cpu_faults));
        add(columns, "GPU fault", "groups", UM_CELL_COUNT,
            offsetof(struct um_row, counters.gpu_fault_groups));
    }
    if (chosen & UM_COLUMN_MIGRATED)
        add_bytes_both_ways(columns, "moved", offsetof(struct um_row, counters.bytes_migrated_h2d),
                            offsetof(struct um_row, counters.bytes_migrated_d2h));
    if (chosen & UM_COLUMN_EVICTIONS)
        add(columns, "evicted", "2 MiB", UM_CELL_COUNT, offsetof(struct um_row, counters.evictions));
    add_extras(columns);
    add(columns, "verified", "", UM_CELL_VERDICT, 0);
    measure(columns);
}
