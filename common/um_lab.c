/**
 * @file um_lab.c
 * @brief Implementation of um_lab.h: options, device, strategies, table, JSON, last line, exit code.
 */
#include "um_cupti.h"
#include "um_lab.h"

#include <errno.h>
#include <unistd.h>

/* On a terminal, prints what is running; the table overwrites it. */
static void progress(const struct um_lab *lab, const struct um_options *options, const char *strategy)
{
    if (options->quiet || !isatty(STDERR_FILENO))
        return;
    if (strategy)
        fprintf(stderr, "\r\033[K%s: %s ...", lab->name, strategy);
    else
        fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

static void run_strategy(const struct um_lab *lab, const struct um_options *options, size_t index,
                         struct um_results *results)
{
    struct um_results *repetitions = calloc((size_t)options->repeat, sizeof *repetitions);
    const size_t before = results->count;

    if (!repetitions) {
        results->lost = true;
        return;
    }
    progress(lab, options, lab->strategies[index].name);
    for (int r = 0; r < options->repeat; r++) {
        struct um_run run = {.lab = lab,
                             .options = options,
                             .strategy = lab->strategies[index].name,
                             .size = options->size,
                             .seed = options->seed,
                             .group = (int)index,
                             .repetition = r,
                             .results = &repetitions[r]};

        lab->strategies[index].run(&run);
    }
    um_results_join(results, repetitions, options->repeat);
    free(repetitions);
    if (results->count == before) /* it gave up before its first row: this row takes its place and says NO */
        um_results_add(results, lab->strategies[index].name, options->size)->group = (int)index;
}

void um_print_managed(const struct um_results *results, FILE *out)
{
    const struct um_device *device = um_device();

    (void)results;
    um_print(out, 0,
             "This device: managedMemory %d, concurrentManagedAccess %d, pageableMemoryAccess %d.\n\n",
             device->managed, device->concurrent_managed, device->pageable_access);
}

/* Compares the memory that the lab needs with what is free. @return -1 to go on */
static int check_memory(const struct um_lab *lab, const struct um_options *options)
{
    const double size = (double)options->size;
    const double managed = lab->managed_arrays * size;

    if (managed > 0 && !um_is_sim() && !um_managed_allowed((size_t)managed))
        return UM_EXIT_CANNOT;
    return um_size_fits(lab->name, lab->device_arrays * size, lab->host_arrays * size + managed);
}

/* The lab's last sentence; the rows that it names are marked. */
static struct um_closing close_with(const struct um_lab *lab, const struct um_options *options,
                                    const struct um_results *results)
{
    struct um_closing closing = {0};

    if (lab->closing)
        lab->closing(results, options, &closing);
    for (size_t i = 0; i < results->count; i++) {
        struct um_row *row = results->rows[i];

        if (row == closing.fastest)
            row->mark = UM_MARK_FASTEST;
        if (row == closing.surprise)
            row->mark = UM_MARK_SURPRISE;
    }
    return closing;
}

/* Prints table, JSON and last line. @return the exit code */
static int report(const struct um_lab *lab, const struct um_options *options,
                  const struct um_results *results)
{
    const bool json_on_stdout = options->json && strcmp(options->json, "-") == 0;
    FILE *out = json_on_stdout ? stderr : stdout;
    const struct um_closing closing = close_with(lab, options, results);
    int code = um_results_exit(results);
    const char *wrong = NULL;

    progress(lab, options, NULL);
    if (!options->quiet) {
        fprintf(out, "%s: %s\n\n", lab->name, lab->question);
        if (lab->before)
            lab->before(results, out);
        um_table_print(lab, results, out);
        if (lab->after)
            lab->after(results, out);
        um_residency_bars_print(out);
        um_answers_print(lab, options, results, out);
        um_closing_print(&closing, out);
        fprintf(out, "\n");
    }
    if (options->json)
        wrong = um_json_write(options->json, lab, options, results, &closing);
    um_last_line_print(lab, results, out);
    errno = 0;
    if (!wrong && (fflush(stdout) != 0 || ferror(stdout)))
        wrong = errno != 0 ? strerror(errno) : "write error";
    if (!wrong)
        return code;
    fprintf(stderr, "%s: the results could not be written%s%s: %s\n", lab->name, options->json ? " to " : "",
            options->json ? options->json : "", wrong);
    return UM_EXIT_CANNOT;
}

static int run_lab(const struct um_lab *lab, const struct um_options *options)
{
    struct um_results results = {0};
    int code = UM_EXIT_CANNOT;

    if (!lab->setup || lab->setup(options)) {
        for (size_t i = 0; i < lab->strategy_count && i < UM_STRATEGIES_MAX; i++) {
            if (options->chosen[i])
                run_strategy(lab, options, i, &results);
        }
        code = report(lab, options, &results);
    }
    if (lab->teardown)
        lab->teardown();
    um_residency_bars_forget();
    um_results_free(&results);
    return code;
}

int um_lab_main(const struct um_lab *lab, int argc, char **argv)
{
    struct um_options options;
    int stop = um_options_parse(lab, argc, argv, &options);

    if (stop < 0 && !um_is_sim() && (lab->columns & UM_COLUMNS_PAGING))
        um_cupti_start();
    if (stop < 0)
        stop = um_device_ready(lab->name);
    if (stop < 0)
        stop = check_memory(lab, &options);
    return stop >= 0 ? stop : run_lab(lab, &options);
}
