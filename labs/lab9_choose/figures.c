/**
 * @file figures.c
 * @brief Implementation of figures.h: straight lines through a map's cells.
 */
#include <math.h>

#include "figures.h"

#define DENSE 0 /* of `patterns` */
#define MIB ((double)(1 << 20))

/* A line through the times at the smallest size and at the largest; neither part of it is below 0. */
static struct lab9_line line_through(const struct map *map, double small_us, double large_us)
{
    const double small = (double)map->size[0] / MIB, large = (double)map->size[MAP_SIZES - 1] / MIB;
    const double slope = fmax((large_us - small_us) / (large - small), 0);

    return (struct lab9_line){fmax(small_us - slope * small, 0), slope};
}

static const struct cell *dense(const struct map *map, enum lab9_kind kind, int size)
{
    return &map->cell[kind][DENSE][size];
}

static struct lab9_line alloc_line(const struct map *map, enum lab9_kind kind)
{
    return line_through(map, dense(map, kind, 0)->alloc_us, dense(map, kind, MAP_SIZES - 1)->alloc_us);
}

/* One way: the mean of both. */
static struct lab9_line move_line(const struct map *map, enum lab9_kind kind)
{
    const struct cell *small = dense(map, kind, 0), *large = dense(map, kind, MAP_SIZES - 1);

    return line_through(map, (small->h2d_us + small->d2h_us) / 2, (large->h2d_us + large->d2h_us) / 2);
}

static double kernel_us_per_mib(const struct map *map, enum lab9_kind kind)
{
    return line_through(map, dense(map, kind, 0)->kernel_us, dense(map, kind, MAP_SIZES - 1)->kernel_us)
        .us_per_mib;
}

bool figures_read(const struct map *map, struct lab9_machine *machine)
{
    for (int k = 0; k < LAB9_KINDS; k++) {
        const bool is_there = !isnan(dense(map, (enum lab9_kind)k, 0)->total_us) &&
                              !isnan(dense(map, (enum lab9_kind)k, MAP_SIZES - 1)->total_us);

        if (k != LAB9_MANAGED && !is_there)
            return false;
    }
    *machine = (struct lab9_machine){
        .pinned_memory = alloc_line(map, LAB9_MAPPED),
        .device_memory = alloc_line(map, LAB9_PAGEABLE),
        .managed_memory = alloc_line(map, LAB9_PREFETCH),
        .pageable_copy = move_line(map, LAB9_PAGEABLE),
        .pinned_copy = move_line(map, LAB9_PINNED),
        .prefetch = move_line(map, LAB9_PREFETCH),
        .advice = line_through(map, dense(map, LAB9_ADVISED, 0)->advice_us,
                               dense(map, LAB9_ADVISED, MAP_SIZES - 1)->advice_us),
        .near_us_per_mib = kernel_us_per_mib(map, LAB9_PINNED),
        .far_us_per_mib = kernel_us_per_mib(map, LAB9_MAPPED),
    };
    return true;
}

static void print_line(const char *what, const struct lab9_line *line, FILE *out)
{
    fprintf(out, "  %-16s %8.1f us + %7.2f us per MiB\n", what, line->us, line->us_per_mib);
}

void figures_print(const struct map *map, const struct lab9_machine *machine, FILE *out)
{
    char small[UM_SIZE_TEXT], large[UM_SIZE_TEXT];

    um_print(out, 2, "\nwhat choose() is told of this machine (%s), from dense at %s and %s:\n", map->source,
             um_size_text((double)map->size[0], small),
             um_size_text((double)map->size[MAP_SIZES - 1], large));
    print_line("pinned_memory", &machine->pinned_memory, out);
    print_line("device_memory", &machine->device_memory, out);
    print_line("managed_memory", &machine->managed_memory, out);
    print_line("pageable_copy", &machine->pageable_copy, out);
    print_line("pinned_copy", &machine->pinned_copy, out);
    print_line("prefetch", &machine->prefetch, out);
    print_line("advice", &machine->advice, out);
    fprintf(out, "  kernels: %.2f us per MiB near, %.2f far\n", machine->near_us_per_mib,
            machine->far_us_per_mib);
}
