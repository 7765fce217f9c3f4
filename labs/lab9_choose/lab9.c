/**
 * @file lab9.c
 * @brief Lab 9: which memory for which access pattern?
 *
 * The lab puts all that labs 3 to 6 showed into one table: six ways to give the GPU an array (play.c) by six
 * ways to use it (patterns.h), small to large. Then it draws the map of which way takes the least time, and
 * scores the rule in exercise.c. The second half copies ordinary memory in three ways (copies.c).
 *
 *     make lab9
 *     make lab9 ARGS="--size 64M --strategy pinned,mapped,prefetch"
 */
#include "copies.h"
#include "map.h"
#include "play.h"
#include "profile.h"

/* Counting faults on a GPU (CUPTI) makes them slower, and here the times are the question. They vary there.
 */
#ifdef UMLAB_SIM
#define COLUMNS (UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_FAULTS)
#define REPEAT 1
#else
#define COLUMNS (UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL)
#define REPEAT 3
#endif

static size_t size_wanted; /* --size */

static bool setup(const struct um_options *options)
{
    size_wanted = options->size;
    return true;
}

static size_t free_on_device(void)
{
    size_t free_bytes = 0, total = 0;

    return UM_CHECK(cudaMemGetInfo(&free_bytes, &total)) ? free_bytes : 0;
}

/* All patterns with one kind of memory: its place in the table of strategies. */
static void kind(struct um_run *run)
{
    const size_t device_bytes = free_on_device();
    char name[40];

    if (!can_play(run, (enum lab9_kind)run->group))
        return;
    for (int p = 0; p < PATTERNS; p++) {
        for (int s = patterns[p].largest_only ? MAP_SIZES - 1 : 0; s < MAP_SIZES; s++) {
            const struct lab9_workload work =
                pattern_work(&patterns[p], pattern_size(run->size, s), device_bytes);
            const bool listed = s == MAP_SIZES - 1 && !patterns[p].largest_only;

            snprintf(name, sizeof name, "%s %s", run->strategy, patterns[p].name);
            play(run, (enum lab9_kind)run->group, &work, name, !listed);
        }
    }
}

static void copies(struct um_run *run)
{
    copy_rows(run, (enum way)(run->group - LAB9_KINDS), free_on_device());
}

static struct map map_of(const struct um_results *results)
{
    struct map map = {.source = ""};
    char source[300];

    snprintf(source, sizeof source, "%s, %s", um_times(), um_device_label());
    map_make(&map, size_wanted, source);
    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];

        const struct cell cell = {
            row->alloc_us,  row->advice_us, row->h2d_us,
            row->kernel_us, row->d2h_us,    um_extra_value(row, "work_us"),
            row->total_us,
        };

        if (row->verdict == UM_VERDICT_YES)
            map_enter(&map, row->strategy, row->size_bytes, &cell);
    }
    return map;
}

/* The maps are the lab's answer: they come first. */
static void before(const struct um_results *results, FILE *out)
{
    const struct map here = map_of(results);

    map_print(&here, out);
    if (!map_is_empty(&here))
        um_print(
            out, 2,
            "\nThe rows behind the maps; those of smaller sizes, and of reuse x2 and x4, are in --json:\n\n");
}

static void after(const struct um_results *results, FILE *out)
{
    const struct map here = map_of(results);
    struct map profile = {.source = ""};

    rule_print(&here, free_on_device(), out);
    if (!um_is_sim() && !map_is_empty(&here) && profile_map(&profile, size_wanted, out)) {
        fprintf(out, "\n");
        map_print(&profile, out);
        map_print_alike(&here, &profile, out);
        rule_print(&profile, free_on_device(), out);
    }
    copies_print(results, out);
}

static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    const struct map here = map_of(results);

    (void)options;
    map_closing(&here, closing);
}

static const struct um_section sections[] = {
    {"pageable", "Kinds of memory by ways to use it"},
    {"copy-pageable", "Copies of ordinary memory"},
    {0},
};

static const struct um_strategy strategies[] = {
    [LAB9_PAGEABLE] = {"pageable", "malloc's memory, copied to the device and back", kind},
    [LAB9_PINNED] = {"pinned", "cudaMallocHost's memory, copied to the device and back", kind},
    [LAB9_MAPPED] = {"mapped", "cudaHostAllocMapped, used in place", kind},
    [LAB9_MANAGED] = {"managed", "cudaMallocManaged, and the driver is told nothing", kind},
    [LAB9_PREFETCH] = {"prefetch", "managed, prefetched to each side before its turn", kind},
    [LAB9_ADVISED] = {"advised", "managed, with the advice that fits the pattern", kind},
    [LAB9_KINDS + WAY_PAGEABLE] = {"copy-pageable", "copies of malloc's memory by cudaMemcpy", copies},
    [LAB9_KINDS + WAY_PINNED] = {"copy-pinned", "copies of pinned memory by cudaMemcpy", copies},
    [LAB9_KINDS + WAY_PIPED] = {"copy-piped", "copies of malloc's memory by um_pipe_copy()", copies},
};

static const struct um_lab_option options[] = {
    {"--copies", "SIZE", "bytes of the largest copy of the second half (64 KiB or more)", UM_OPTION_SIZE,
     &largest_copy, 1 << 16, (uint64_t)1 << 36},
    {"--threads", "N", "host threads of the piped copy (1 to 32; else as many as are good)", UM_OPTION_COUNT,
     &threads_wanted, 1, UM_PIPE_THREADS_MAX},
    {NULL, NULL, NULL, UM_OPTION_COUNT, NULL, 0, 0},
};

static const struct um_lab lab = {
    .name = "lab9",
    .question = "Which memory for which access pattern?",
    .about = "Six kinds of memory by six ways to use it, and who wins where. Then copies of ordinary memory.",
    .size_is = "bytes of the array; the map has a 16th and a 256th of it, too",
    .default_size = (size_t)16 << 20,
    .minimum_size = (size_t)1 << 20,
    .size_multiple = 4096,
    .device_arrays = 1.01,
    .host_arrays = 1,
    .managed_arrays = 1,
    .default_repeat = REPEAT,
    .columns = COLUMNS,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .sections = sections,
    .options = options,
    .setup = setup,
    .before = before,
    .after = after,
    .closing = closing,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
