/**
 * @file um_table.c
 * @brief Implementation of um_table.h: aligns rows as a table, and prints a lab's last line.
 */
#include "um_cupti.h"
#include "um_lab.h"

#include <math.h>
#include <unistd.h>

/** Size of one cell's text. */
#define CELL 64

/** The most columns of a table: the standard ones, and the extra ones of several strategies. */
#define COLUMNS_MAX 40

enum column_type { TEXT, TIME, NUMBER, COUNT, BYTES, EXTRA, VERDICT };

struct column {
    const char *title, *unit;
    enum column_type type;
    size_t offset;    /* of the value in struct um_row */
    int64_t unit_one; /* BYTES: how many bytes one of the unit is */
    int decimals;
    const char *key; /* EXTRA */
    size_t width;
};

struct table {
    struct column columns[COLUMNS_MAX];
    size_t count;
    const struct um_results *results;
};

bool um_colour(FILE *out)
{
    return isatty(fileno(out)) && !getenv("NO_COLOR");
}

static struct column *add(struct table *table, const char *title, const char *unit, enum column_type type,
                          size_t offset)
{
    struct column *column = &table->columns[table->count];

    if (table->count + 1 < COLUMNS_MAX)
        table->count++; /* the last place is overwritten: never past the end */
    *column = (struct column){.title = title, .unit = unit, .type = type, .offset = offset};
    return column;
}

static int64_t bytes_of(const struct column *column, const struct um_row *row)
{
    int64_t bytes;

    if (column->offset == offsetof(struct um_row, size_bytes))
        return (int64_t)row->size_bytes;
    memcpy(&bytes, (const char *)row + column->offset, sizeof bytes);
    return bytes;
}

/* A column of bytes gets the largest unit in which its smallest value is at least 1, with decimals where
 * needed. */
static void add_bytes(struct table *table, const char *title, size_t offset)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    struct column *column = add(table, title, units[0], BYTES, offset);
    int64_t least = 0;

    for (size_t i = 0; i < table->results->count; i++) {
        const int64_t bytes = bytes_of(column, table->results->rows[i]);

        if (bytes > 0 && (least == 0 || bytes < least))
            least = bytes;
    }
    column->unit_one = 1;
    for (size_t u = 1; u < UM_COUNT(units) && least >= column->unit_one * 1024; u++) {
        column->unit_one *= 1024;
        column->unit = units[u];
    }
    for (size_t i = 0; i < table->results->count; i++) {
        const int64_t bytes = bytes_of(column, table->results->rows[i]);

        if (bytes > 0 && bytes % column->unit_one != 0)
            column->decimals = 2;
    }
}

static void add_extras(struct table *table)
{
    for (size_t i = 0; i < table->results->count; i++) {
        const struct um_row *row = table->results->rows[i];

        for (int e = 0; e < row->extra_count; e++) {
            const struct um_extra *extra = &row->extras[e];
            size_t c = 0;

            while (c < table->count &&
                   (!table->columns[c].key || strcmp(table->columns[c].key, extra->key) != 0)) {
                c++;
            }
            if (c == table->count)
                add(table, extra->title, extra->unit, EXTRA, 0)->key = extra->key;
        }
    }
}

static void make_columns(struct table *table, unsigned chosen)
{
    add(table, "strategy", "", TEXT, offsetof(struct um_row, strategy));
    if (chosen & UM_COLUMN_SIZE)
        add_bytes(table, "size", offsetof(struct um_row, size_bytes));
    if (chosen & UM_COLUMN_PHASES) {
        add(table, "alloc", "us", TIME, offsetof(struct um_row, alloc_us));
        add(table, "H2D", "us", TIME, offsetof(struct um_row, h2d_us));
        add(table, "kernel", "us", TIME, offsetof(struct um_row, kernel_us));
        add(table, "D2H", "us", TIME, offsetof(struct um_row, d2h_us));
    }
    if (chosen & UM_COLUMN_TOTAL)
        add(table, "total", "us", TIME, offsetof(struct um_row, total_us));
    if (chosen & UM_COLUMN_BANDWIDTH)
        add(table, "rate", "GB/s", NUMBER, offsetof(struct um_row, bandwidth_gbs));
    if (chosen & UM_COLUMN_COPIED) {
        add_bytes(table, "copied H2D", offsetof(struct um_row, counters.bytes_h2d));
        add_bytes(table, "copied D2H", offsetof(struct um_row, counters.bytes_d2h));
    }
    if (chosen & UM_COLUMN_FAULTS) {
        add(table, "CPU", "faults", COUNT, offsetof(struct um_row, counters.cpu_faults));
        add(table, "GPU fault", "groups", COUNT, offsetof(struct um_row, counters.gpu_fault_groups));
    }
    if (chosen & UM_COLUMN_MIGRATED) {
        add_bytes(table, "moved H2D", offsetof(struct um_row, counters.bytes_migrated_h2d));
        add_bytes(table, "moved D2H", offsetof(struct um_row, counters.bytes_migrated_d2h));
    }
    if (chosen & UM_COLUMN_EVICTIONS)
        add(table, "evicted", "2 MiB", COUNT, offsetof(struct um_row, counters.evictions));
    add_extras(table);
    add(table, "verified", "", VERDICT, 0);
}

static void number_text(double value, int decimals, char *text)
{
    if (isnan(value))
        snprintf(text, CELL, "n/a");
    else
        snprintf(text, CELL, "%.*f", decimals, value);
}

static void extra_text(const struct column *column, const struct um_row *row, char *text)
{
    snprintf(text, CELL, "n/a");
    for (int e = 0; e < row->extra_count; e++) {
        const struct um_extra *extra = &row->extras[e];

        if (strcmp(extra->key, column->key) != 0)
            continue;
        if (extra->type == UM_EXTRA_NUMBER)
            number_text(extra->number, extra->decimals, text);
        if (extra->type == UM_EXTRA_TEXT)
            snprintf(text, CELL, "%s", extra->text);
        if (extra->type == UM_EXTRA_COUNT && extra->count != UM_NONE)
            snprintf(text, CELL, "%lld", (long long)extra->count);
    }
}

static const char *verdict_text(enum um_verdict verdict)
{
    if (verdict == UM_VERDICT_SKIPPED)
        return "skipped";
    return verdict == UM_VERDICT_YES ? "yes" : "NO";
}

static void cell_text(const struct column *column, const struct um_row *row, char *text)
{
    double number;
    int64_t count;

    switch (column->type) {
    case TEXT:
        snprintf(text, CELL, "%s%s", row->strategy, row->counters.contended > 0 ? " ~" : "");
        return;
    case TIME:
    case NUMBER:
        memcpy(&number, (const char *)row + column->offset, sizeof number);
        number_text(number, column->type == TIME ? 1 : 2, text);
        return;
    case COUNT:
    case BYTES:
        count = bytes_of(column, row);
        if (count == UM_NONE)
            snprintf(text, CELL, "n/a");
        else if (column->type == COUNT)
            snprintf(text, CELL, "%lld", (long long)count);
        else
            number_text((double)count / (double)column->unit_one, column->decimals, text);
        return;
    case EXTRA:
        extra_text(column, row, text);
        return;
    case VERDICT:
        snprintf(text, CELL, "%s", verdict_text(row->verdict));
        return;
    }
}

static void measure(struct table *table)
{
    char text[CELL];

    for (size_t c = 0; c < table->count; c++) {
        struct column *column = &table->columns[c];

        column->width =
            strlen(column->title) > strlen(column->unit) ? strlen(column->title) : strlen(column->unit);
        for (size_t i = 0; i < table->results->count; i++) {
            cell_text(column, table->results->rows[i], text);
            if (strlen(text) > column->width)
                column->width = strlen(text);
        }
    }
}

/* The first and the last column are text, aligned left; the rest right. Lines have no blanks at their end. */
static void print_cell(const struct table *table, size_t c, const char *text, FILE *out)
{
    const int width = (int)table->columns[c].width;

    if (c == 0)
        fprintf(out, "%-*s", width, text);
    else if (c + 1 == table->count)
        fprintf(out, "  %s", text);
    else
        fprintf(out, "  %*s", width, text);
}

static void print_header(const struct table *table, FILE *out)
{
    size_t last_unit = 0;

    for (size_t c = 0; c < table->count; c++) {
        print_cell(table, c, table->columns[c].title, out);
        if (table->columns[c].unit[0] != '\0')
            last_unit = c;
    }
    fprintf(out, "\n");
    for (size_t c = 0; c <= last_unit; c++) {
        print_cell(table, c, table->columns[c].unit, out);
    }
    fprintf(out, "\n");
}

static void print_row(const struct table *table, const struct um_row *row, FILE *out)
{
    const bool red = row->verdict == UM_VERDICT_NO && um_colour(out);
    char text[CELL];

    if (red)
        fprintf(out, "\033[31m");
    for (size_t c = 0; c < table->count; c++) {
        cell_text(&table->columns[c], row, text);
        print_cell(table, c, text, out);
    }
    fprintf(out, "%s\n", red ? "\033[0m" : "");
}

static void print_notes(const struct um_lab *lab, unsigned columns, const struct um_results *results,
                        FILE *out)
{
    bool contended = false;
    int repeat = 1;

    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];

        if (row->counters.contended > 0)
            contended = true;
        if (row->repeat > repeat)
            repeat = row->repeat;
        if (row->verdict == UM_VERDICT_SKIPPED)
            fprintf(out, "skipped %s: %s\n", row->strategy, row->reason);
    }
    if (columns & UM_COLUMN_BANDWIDTH)
        fprintf(out, "GB/s: %s; 1 GB is 10^9 bytes\n", lab->bandwidth ? lab->bandwidth : "");
    if (repeat > 1)
        fprintf(out, "each row: the run with the median total, of %d\n", repeat);
    if (!um_is_sim() && (columns & UM_COLUMNS_PAGING) && um_cupti_why()[0] != 0)
        fprintf(out, "n/a: no counts of faults and moved pages: %s\n", um_cupti_why());
    if (contended)
        fprintf(
            out,
            "~: host and GPU touched the same pages while a kernel ran; the program leaves their order open, "
            "so these counts are one possible outcome\n");
}

/* Selects the rows to print. @return false when out of memory: then all are printed */
static bool list_rows(const struct um_results *results, struct um_results *listed)
{
    *listed = (struct um_results){.rows = malloc((results->count + 1) * sizeof *listed->rows)};
    for (size_t i = 0; listed->rows && i < results->count; i++) {
        struct um_row *row = results->rows[i];

        if (!row->unlisted || row->verdict != UM_VERDICT_YES)
            listed->rows[listed->count++] = row;
    }
    return listed->rows != NULL;
}

void um_table_print(const struct um_lab *lab, const struct um_results *all, FILE *out)
{
    unsigned columns = lab->columns != 0 ? lab->columns : UM_COLUMNS_DEFAULT;
    struct um_results listed;
    const struct um_results *results = list_rows(all, &listed) ? &listed : all;
    struct table table = {.results = results};

    if (!lab->bandwidth)
        columns &= ~UM_COLUMN_BANDWIDTH;
    make_columns(&table, columns);
    measure(&table);
    print_header(&table, out);
    for (size_t i = 0; i < results->count; i++) {
        print_row(&table, results->rows[i], out);
    }
    print_notes(lab, columns, results, out);
    free(listed.rows);
}

int um_results_exit(const struct um_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i]->verdict == UM_VERDICT_NO)
            return UM_EXIT_FAILED;
    }
    return results->count > 0 && !results->lost ? UM_EXIT_OK : UM_EXIT_FAILED;
}

/* A strategy's verdict is the worst of its rows: NO, then skipped, then yes. */
static void count_groups(const struct um_results *results, int *groups, int *failed, int *skipped)
{
    int previous = -1;
    enum um_verdict worst = UM_VERDICT_YES;

    *groups = *failed = *skipped = 0;
    for (size_t i = 0; i <= results->count; i++) {
        const struct um_row *row = i < results->count ? results->rows[i] : NULL;

        if (i > 0 && (!row || row->group != previous)) {
            *groups += 1;
            *failed += worst == UM_VERDICT_NO;
            *skipped += worst == UM_VERDICT_SKIPPED;
            worst = UM_VERDICT_YES;
        }
        if (!row)
            continue;
        previous = row->group;
        if (row->verdict == UM_VERDICT_NO || (row->verdict == UM_VERDICT_SKIPPED && worst == UM_VERDICT_YES))
            worst = row->verdict;
    }
}

void um_last_line_print(const struct um_lab *lab, const struct um_results *results, FILE *out)
{
    int groups, failed, skipped;

    count_groups(results, &groups, &failed, &skipped);
    fprintf(out, "%s: %d %s, ", lab->name, groups, groups == 1 ? "strategy" : "strategies");
    if (failed + skipped == 0 && groups > 0 && !results->lost) {
        fprintf(out, "all verified");
    } else {
        fprintf(out, "%d verified", groups - failed - skipped);
        if (skipped > 0)
            fprintf(out, ", %d skipped", skipped);
        if (failed > 0)
            fprintf(out, ", %d NOT verified", failed);
        if (results->lost)
            fprintf(out, ", rows lost");
    }
    fprintf(out, " (%s, %s, %s times)\n", um_backend_name(), um_device_label(), um_times());
}
