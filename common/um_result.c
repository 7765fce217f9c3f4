/**
 * @file um_result.c
 * @brief Implementation of um_result.h: phases, verdicts, extra columns, and how repetitions become one row.
 */
#include "um_lab.h"

#include <math.h>
#include <stdarg.h>

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

static void row_clear(struct um_row *row, const char *name, size_t size_bytes)
{
    *row = (struct um_row){.size_bytes = size_bytes,
                           .repeat = 1,
                           .alloc_us = NAN,
                           .advice_us = NAN,
                           .h2d_us = NAN,
                           .kernel_us = NAN,
                           .d2h_us = NAN,
                           .host_us = NAN,
                           .mixed_us = NAN,
                           .total_us = NAN,
                           .bandwidth_gbs = NAN,
                           .counters = um_no_counters,
                           .phase = -1};
    snprintf(row->strategy, sizeof row->strategy, "%s", name);
}

/* Makes room for one more pointer to a row. */
static bool reserve(struct um_results *results)
{
    const size_t capacity = results->capacity != 0 ? 2 * results->capacity : 16;
    struct um_row **rows;

    if (results->count < results->capacity)
        return true;
    rows = realloc(results->rows, capacity * sizeof(struct um_row *));
    if (!rows)
        return false;
    results->rows = rows;
    results->capacity = capacity;
    return true;
}

struct um_row *um_results_add(struct um_results *results, const char *name, size_t size_bytes)
{
    static struct um_row spare;
    struct um_row *row = reserve(results) ? malloc(sizeof *row) : NULL;

    if (!row) {
        fprintf(stderr, "no memory for a result row: the results are not complete\n");
        results->lost = true;
        row_clear(&spare, name, size_bytes);
        return &spare;
    }
    row_clear(row, name, size_bytes);
    results->rows[results->count++] = row;
    return row;
}

struct um_row *um_row(struct um_run *run, const char *name)
{
    struct um_row *row = um_results_add(run->results, name ? name : run->strategy, run->size);

    row->group = run->group;
    return row;
}

static double *phase_time(struct um_row *row, int phase)
{
    switch (phase) {
    case UM_PHASE_ALLOC:
        return &row->alloc_us;
    case UM_PHASE_ADVICE:
        return &row->advice_us;
    case UM_PHASE_H2D:
        return &row->h2d_us;
    case UM_PHASE_KERNEL:
        return &row->kernel_us;
    case UM_PHASE_D2H:
        return &row->d2h_us;
    case UM_PHASE_HOST:
        return &row->host_us;
    default:
        return &row->mixed_us;
    }
}

static void add_time(double *sum, double us)
{
    *sum = isnan(*sum) ? us : *sum + us;
    *sum = round(*sum * 1e3) / 1e3; /* whole nanoseconds: the clocks are no finer */
}

/* Writes the phase into the simulator's trace, where one is kept. NULL: the row's phase has ended. */
static void trace_phase(const struct um_row *row, const char *phase)
{
#ifdef UMLAB_SIM
    umsim_trace_phase(row->strategy, phase);
#else
    (void)row, (void)phase;
#endif
}

void um_phase_end(struct um_row *row)
{
    double us;

    if (row->phase < 0)
        return;
    us = um_now_us() - row->phase_start_us;
    add_time(phase_time(row, row->phase), us);
    add_time(&row->total_us, us);
    um_counters_add(&row->counters, um_counters_difference(row->phase_counters, um_counters_now()));
    row->phase = -1;
    trace_phase(row, NULL);
}

void um_phase(struct um_row *row, enum um_phase phase)
{
    static const char *const names[] = {"alloc", "advice", "h2d", "kernel", "d2h", "host", "mixed"};

    um_phase_end(row);
    trace_phase(row, names[phase]);
    row->phase = (int)phase;
    row->phase_counters = um_counters_now();
    row->phase_start_us = um_now_us();
}

double um_phase_us(const struct um_row *row, enum um_phase phase)
{
    return *phase_time((struct um_row *)(uintptr_t)row, (int)phase);
}

void um_row_verified(struct um_row *row, bool right)
{
    if (row->verdict == UM_VERDICT_NO && row->judged)
        return;
    row->verdict = right ? UM_VERDICT_YES : UM_VERDICT_NO;
    row->judged = true;
}

void um_row_skip(struct um_row *row, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(row->reason, sizeof row->reason, format, arguments);
    va_end(arguments);
    um_phase_end(row);
    row->verdict = UM_VERDICT_SKIPPED;
}

/* On cuda the lab's figure counts; on sim the simulator has counted by itself. */
static void copied(int64_t *count, size_t bytes)
{
    if (um_is_sim())
        return;
    *count = (*count == UM_NONE ? 0 : *count) + (int64_t)bytes;
}

void um_row_copied_h2d(struct um_row *row, size_t bytes)
{
    copied(&row->counters.bytes_h2d, bytes);
    copied(&row->counters.bytes_d2h, 0);
}

void um_row_copied_d2h(struct um_row *row, size_t bytes)
{
    copied(&row->counters.bytes_h2d, 0);
    copied(&row->counters.bytes_d2h, bytes);
}

void um_row_copied_d2d(struct um_row *row, size_t bytes)
{
    copied(&row->counters.bytes_d2d, bytes);
}

/* The row's value in column `key`, added if it does not exist; NULL, after a line on stderr, when there
 * are too many. */
static struct um_extra *extra(struct um_row *row, const char *key, const char *title, const char *unit,
                              enum um_extra_type type)
{
    struct um_extra *found = NULL;

    for (int i = 0; i < row->extra_count; i++) {
        if (strcmp(row->extras[i].key, key) == 0)
            found = &row->extras[i];
    }
    if (!found && row->extra_count == UM_EXTRAS_MAX) {
        fprintf(stderr, "%s: no room for column %s: UM_EXTRAS_MAX is %d\n", row->strategy, key,
                UM_EXTRAS_MAX);
        return NULL;
    }
    if (!found)
        found = &row->extras[row->extra_count++];
    *found = (struct um_extra){
        .key = key, .title = title, .unit = unit, .type = type, .number = NAN, .count = UM_NONE};
    return found;
}

void um_extra_number(struct um_row *row, const char *key, const char *title, const char *unit, double value,
                     int decimals)
{
    struct um_extra *e = extra(row, key, title, unit, UM_EXTRA_NUMBER);

    if (!e)
        return;
    e->number = value;
    e->decimals = decimals;
}

void um_extra_count(struct um_row *row, const char *key, const char *title, const char *unit, int64_t value)
{
    struct um_extra *e = extra(row, key, title, unit, UM_EXTRA_COUNT);

    if (e)
        e->count = value;
}

void um_extra_text(struct um_row *row, const char *key, const char *title, const char *unit,
                   const char *value)
{
    struct um_extra *e = extra(row, key, title, unit, UM_EXTRA_TEXT);

    if (e)
        snprintf(e->text, sizeof e->text, "%s", value);
}

double um_extra_value(const struct um_row *row, const char *key)
{
    for (int i = 0; i < row->extra_count; i++) {
        const struct um_extra *extra = &row->extras[i];

        if (strcmp(extra->key, key) == 0 && extra->type == UM_EXTRA_NUMBER)
            return extra->number;
        if (strcmp(extra->key, key) == 0 && extra->type == UM_EXTRA_COUNT && extra->count != UM_NONE)
            return (double)extra->count;
    }
    return NAN;
}

double um_gbs(double bytes, double us)
{
    return us > 0 ? bytes / us / 1e3 : NAN;
}

const struct um_row *um_results_find(const struct um_results *results, const char *name)
{
    for (size_t i = 0; i < results->count; i++) {
        if (strcmp(results->rows[i]->strategy, name) == 0)
            return results->rows[i];
    }
    return NULL;
}

void um_results_free(struct um_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        free(results->rows[i]);
    }
    free(results->rows);
    *results = (struct um_results){0};
}

/* Order by total; rows without one come last. */
static int by_total(const void *a, const void *b)
{
    const double x = (*(struct um_row *const *)a)->total_us, y = (*(struct um_row *const *)b)->total_us;

    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

/* The median of `count` runs of one row, with the worst verdict and any contention among them. */
static void join_row(struct um_row *joined, struct um_row **runs, int count, int repeat)
{
    qsort(runs, (size_t)count, sizeof(struct um_row *), by_total);
    *joined = *runs[(count - 1) / 2];
    joined->repeat = repeat;
    if (count < repeat)
        joined->verdict = UM_VERDICT_NO; /* one repetition ended before it reached this row */
    for (int i = 0; i < count; i++) {
        if (runs[i]->verdict == UM_VERDICT_NO)
            joined->verdict = UM_VERDICT_NO;
        if (runs[i]->counters.contended > joined->counters.contended)
            joined->counters.contended = runs[i]->counters.contended;
    }
}

void um_results_join(struct um_results *out, struct um_results *repetitions, int repeat)
{
    struct um_row **runs = malloc((size_t)repeat * sizeof(struct um_row *));
    size_t longest = 0;

    if (!runs)
        out->lost = true;
    for (int r = 0; r < repeat; r++) {
        if (repetitions[r].count > longest)
            longest = repetitions[r].count;
        if (repetitions[r].lost)
            out->lost = true;
    }
    for (size_t i = 0; runs && i < longest; i++) {
        int count = 0;

        for (int r = 0; r < repeat; r++) {
            if (i < repetitions[r].count)
                runs[count++] = repetitions[r].rows[i];
        }
        join_row(um_results_add(out, "", 0), runs, count, repeat);
    }
    free(runs);
    for (int r = 0; r < repeat; r++) {
        um_results_free(&repetitions[r]);
    }
}
