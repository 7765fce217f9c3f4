/**
 * @file map.h
 * @brief Lab 9: shows as text which kind of memory wins where, and how good a rule's choices are.
 *
 * A cell is a workload with one kind of memory. Cells come from this run's rows, or from the simulator's
 * (profile.h).
 */
#ifndef LAB9_MAP_H
#define LAB9_MAP_H

#include "exercise.h"
#include "patterns.h"
#include "um_lab.h"
#include "workload.h"

/**
 * A row's times in microseconds, as its columns have them: `work` is what copies, kernels, advice, the host's
 * turns and waiting take, `total` that with allocating and freeing the memory.
 */
struct cell {
    double alloc_us, advice_us, h2d_us, kernel_us, d2h_us, work_us, total_us;
};

/** All cells of one machine. NAN: no such cell. */
struct map {
    char source[300]; /**< "measured, NVIDIA H200" */
    size_t size[MAP_SIZES];
    struct cell cell[LAB9_KINDS][PATTERNS][MAP_SIZES];
};

/** An empty map for the sizes that belong to `size`. */
void map_make(struct map *map, size_t size, const char *source);

/** Enters a row called "KIND PATTERN"; does nothing for any other. */
void map_enter(struct map *map, const char *name, size_t bytes, const struct cell *cell);

/** Whether the map has no cell. */
bool map_is_empty(const struct map *map);

/** Prints the whole map; nothing when it is empty. */
void map_print(const struct map *map, FILE *out);

/** Says which kind wins most often, the memory being there and with getting it. */
void map_closing(const struct map *map, struct um_closing *closing);

/** In how many cells two maps name the same winner. */
void map_print_alike(const struct map *one, const struct map *other, FILE *out);

/** Scores choose() of exercise.c on a map's cells, as a machine whose figures they are (figures.h). */
void rule_print(const struct map *map, size_t device_bytes, FILE *out);

#endif
