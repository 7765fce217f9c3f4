/**
 * @file map.c
 * @brief Implementation of map.h: fills the map of lab 9, draws it, and scores a rule by it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "map.h"

/* Two times count as equal when they differ by less than this. */
#define MAP_ALIKE 1.03

/* A rule is scored for one job, and for this many with the same memory. */
#define MAP_MANY_JOBS 100

void map_make(struct map *map, size_t size, const char *source)
{
    snprintf(map->source, sizeof map->source, "%s", source);
    for (int s = 0; s < MAP_SIZES; s++) {
        map->size[s] = pattern_size(size, s);
    }
    for (int k = 0; k < LAB9_KINDS; k++) {
        for (int p = 0; p < PATTERNS; p++) {
            for (int s = 0; s < MAP_SIZES; s++)
                map->cell[k][p][s] = (struct cell){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        }
    }
}

void map_enter(struct map *map, const char *name, size_t bytes, const struct cell *cell)
{
    for (int k = 0; k < LAB9_KINDS; k++) {
        const size_t length = strlen(lab9_kind_name(k));

        if (strncmp(name, lab9_kind_name(k), length) != 0 || name[length] != ' ')
            continue;
        for (int p = 0; p < PATTERNS; p++) {
            for (int s = 0; s < MAP_SIZES; s++) {
                if (strcmp(name + length + 1, patterns[p].name) == 0 && bytes == map->size[s])
                    map->cell[k][p][s] = *cell;
            }
        }
    }
}

/* The time of `jobs` jobs with the same memory, with allocating and freeing it; 0: of one job, with the
 * memory already there. */
static double cell_us(const struct map *map, int kind, int pattern, int size, unsigned jobs)
{
    const struct cell *cell = &map->cell[kind][pattern][size];

    return jobs == 0 ? cell->work_us : cell->total_us + (jobs - 1) * cell->work_us;
}

/* The least time; NAN when nothing was run. */
static double best_us(const struct map *map, int pattern, int size, unsigned jobs)
{
    double best = NAN;

    for (int k = 0; k < LAB9_KINDS; k++) {
        best = fmin(best, cell_us(map, k, pattern, size, jobs));
    }
    return best;
}

/* "mapped = advised": those that are alike, the fastest kind of them first in the list of kinds. "-": none.
 */
static const char *winners(const struct map *map, int pattern, int size, unsigned jobs, char *text,
                           size_t capacity)
{
    const double best = best_us(map, pattern, size, jobs);
    size_t used = 0;

    snprintf(text, capacity, "-");
    for (int k = 0; k < LAB9_KINDS; k++) {
        if (cell_us(map, k, pattern, size, jobs) < MAP_ALIKE * best && used < capacity)
            used += (size_t)snprintf(text + used, capacity - used, "%s%s", used > 0 ? " = " : "",
                                     lab9_kind_name(k));
    }
    return text;
}

/* Whether anything of the pattern was run at more than the largest size. */
static bool is_swept(int pattern)
{
    return !patterns[pattern].largest_only;
}

/* Pattern by size. */
static void map_print_sizes(const struct map *map, unsigned jobs, FILE *out)
{
    char text[96];

    fprintf(out, "  %-12s", "");
    for (int s = 0; s < MAP_SIZES; s++) {
        fprintf(out, s + 1 < MAP_SIZES ? "  %-24s" : "  %s", um_size_text((double)map->size[s], text));
    }
    fprintf(out, "\n");
    for (int p = 0; p < PATTERNS; p++) {
        if (!is_swept(p) || isnan(best_us(map, p, MAP_SIZES - 1, jobs)))
            continue;
        fprintf(out, "  %-12s", patterns[p].name);
        for (int s = 0; s < MAP_SIZES; s++) {
            fprintf(out, s + 1 < MAP_SIZES ? "  %-24s" : "  %s", winners(map, p, s, jobs, text, sizeof text));
        }
        fprintf(out, "\n");
    }
}

/* Reuse: dense work of 1, 2, 4, ... passes at the largest size. */
static void map_print_reuse(const struct map *map, FILE *out)
{
    char text[96];

    fprintf(out, "  %-12s  %-24s  %s\n", "passes", "memory is there", "got and given back for it");
    for (int p = 0; p < PATTERNS; p++) {
        const struct pattern *it = &patterns[p];

        if (it->stride > 1 || it->read_only || it->rounds > 1 || isnan(best_us(map, p, MAP_SIZES - 1, 0)))
            continue;
        fprintf(out, "  %-12u  %-24s", it->passes, winners(map, p, MAP_SIZES - 1, 0, text, sizeof text));
        fprintf(out, "  %s\n", winners(map, p, MAP_SIZES - 1, 1, text, sizeof text));
    }
}

bool map_is_empty(const struct map *map)
{
    for (int p = 0; p < PATTERNS; p++) {
        if (!isnan(best_us(map, p, MAP_SIZES - 1, 0)))
            return false;
    }
    return true;
}

void map_print(const struct map *map, FILE *out)
{
    char text[UM_SIZE_TEXT];

    if (map_is_empty(map))
        return;
    fprintf(out, "least time (%s), the memory being there:\n", map->source);
    map_print_sizes(map, 0, out);
    fprintf(out, "\nleast time (%s), with getting the memory and giving it back:\n", map->source);
    map_print_sizes(map, 1, out);
    fprintf(out, "\nleast time (%s), dense work on %s, by how often it is used again:\n", map->source,
            um_size_text((double)map->size[MAP_SIZES - 1], text));
    map_print_reuse(map, out);
}

/* The kind with the least time in most cells, and in how many of how many. */
static int most_often(const struct map *map, unsigned jobs, int *cells, int *won)
{
    int count[LAB9_KINDS] = {0}, best_kind = 0;

    *cells = 0;
    for (int p = 0; p < PATTERNS; p++) {
        for (int s = 0; s < MAP_SIZES; s++) {
            const double best = best_us(map, p, s, jobs);

            *cells += !isnan(best);
            for (int k = 0; k < LAB9_KINDS; k++)
                count[k] += cell_us(map, k, p, s, jobs) < MAP_ALIKE * best;
        }
    }
    for (int k = 0; k < LAB9_KINDS; k++)
        best_kind = count[k] > count[best_kind] ? k : best_kind;
    *won = count[best_kind];
    return best_kind;
}

void map_closing(const struct map *map, struct um_closing *closing)
{
    int cells, won_there, won_got;
    const int there = most_often(map, 0, &cells, &won_there), got = most_often(map, 1, &cells, &won_got);

    if (cells > 1)
        um_closing_say(
            closing,
            "Where the memory is there, %s takes the least time in %d of %d cells; with getting it and "
            "giving it back, %s in %d.",
            lab9_kind_name(there), won_there, cells, lab9_kind_name(got), won_got);
}

/* Whether a kind is among the winners of both. */
static bool cell_alike(const struct map *one, const struct map *other, int p, int s, unsigned jobs)
{
    const double best = best_us(one, p, s, jobs), theirs = best_us(other, p, s, jobs);

    for (int k = 0; k < LAB9_KINDS; k++) {
        if (cell_us(one, k, p, s, jobs) < MAP_ALIKE * best &&
            cell_us(other, k, p, s, jobs) < MAP_ALIKE * theirs)
            return true;
    }
    return false;
}

void map_print_alike(const struct map *one, const struct map *other, FILE *out)
{
    int cells = 0, alike[2] = {0, 0};

    for (int p = 0; p < PATTERNS; p++) {
        for (int s = 0; s < MAP_SIZES; s++) {
            if (isnan(best_us(one, p, s, 0)) || isnan(best_us(other, p, s, 0)))
                continue;
            cells++;
            alike[0] += cell_alike(one, other, p, s, 0);
            alike[1] += cell_alike(one, other, p, s, 1);
        }
    }
    um_print(
        out, 2,
        "\nmachine and profile name the same kind in %d of %d cells, the memory being there, and in %d with "
        "getting it\n",
        alike[0], cells, alike[1]);
}

/* How good a rule's choices are. */
struct score {
    int cells, best, none; /**< judged; of them the best (or like it); that chose what was not run */
    double lost, most; /**< sum, and the most, of what a choice took more than the best, as a part of that */
    char worst[160];
};

/* Judges one choice, for so many jobs with the same memory. */
static void score_cell(struct score *score, const struct map *map, const struct lab9_machine *machine, int p,
                       int s, struct lab9_workload work)
{
    const unsigned jobs = work.jobs;
    const double best = best_us(map, p, s, jobs);
    char text[UM_SIZE_TEXT];
    double more;
    int chosen;

    if (isnan(best))
        return;
    chosen = (int)choose(&work, machine);
    score->cells++;
    if (chosen < 0 || chosen >= LAB9_KINDS || isnan(cell_us(map, chosen, p, s, jobs))) {
        score->none++;
        return;
    }
    more = cell_us(map, chosen, p, s, jobs) / best - 1;
    score->lost += more;
    score->best += more < MAP_ALIKE - 1;
    if (more > score->most) {
        score->most = more;
        snprintf(score->worst, sizeof score->worst, "; most with %s, %s: %s, %.1f times the best's time",
                 patterns[p].name, um_size_text((double)map->size[s], text), lab9_kind_name(chosen),
                 1 + more);
    }
}

static void score_print(const struct score *score, const char *source, FILE *out)
{
    char not_run[32] = "", said[300] = "chooses none of the kinds that were run";

    if (score->none > 0)
        snprintf(not_run, sizeof not_run, ", %d not run", score->none);
    if (score->none < score->cells)
        snprintf(said, sizeof said, "%d of %d the best%s, %.0f%% lost on average%s", score->best,
                 score->cells, not_run, 100 * score->lost / (score->cells - score->none), score->worst);
    um_print(out, 2,
             "\nthe rule in exercise.c, choose(), for 1 and for %d jobs with the same memory (%s): %s\n",
             MAP_MANY_JOBS, source, said);
}

void rule_print(const struct map *map, size_t device_bytes, FILE *out)
{
    struct score score = {0};
    struct lab9_machine machine;

    if (map_is_empty(map))
        return;
    if (!figures_read(map, &machine)) {
        um_print(
            out, 2,
            "\nthe rule in exercise.c, choose(), is scored when dense was run with all kinds but managed: "
            "they say what it is told of the machine\n");
        return;
    }
    figures_print(map, &machine, out);
    for (int p = 0; p < PATTERNS; p++) {
        for (int s = 0; s < MAP_SIZES; s++) {
            struct lab9_workload work = pattern_work(&patterns[p], map->size[s], device_bytes);

            score_cell(&score, map, &machine, p, s, work);
            work.jobs = MAP_MANY_JOBS;
            score_cell(&score, map, &machine, p, s, work);
        }
    }
    if (score.cells == 0)
        return;
    score_print(&score, map->source, out);
}
