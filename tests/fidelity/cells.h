/**
 * @file cells.h
 * @brief How the fidelity program takes its samples: a cell is one thing done, by name, several times.
 *
 *     for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
 *         cell_start();
 *         UM_TRY(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
 *         cell_stop("copy/h2d/pinned/%s", size_text);
 *     }
 *
 * The same source runs on both backends. What a pass keeps is chosen on the command line (cells.c): times, or
 * counts (CUPTI's counters slow the driver down, so hardware is asked twice). Warm-up rounds are run and not
 * kept. Two programs are made of this: main.c's, of one device, and peers/main.c's, of two.
 */
#ifndef FIDELITY_CELLS_H
#define FIDELITY_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define PAGE_BYTES ((size_t)4096)

/** Largest size of a cell, and most managed memory that one has at a time; far below what any card holds: 256
 * MiB, or less by --largest. */
size_t cell_largest(void);

/** A program of cells: what it has beside the machinery here. */
struct cells_program {
    const char *name;
    /** Devices that it uses: cell_start() waits for all of them. */
    int devices;
    /** Whether this machine has what the cells need; a line on stderr says what is missing. */
    bool (*usable)(void);
    /** What the first of a program costs extra (contexts, modules, the first fault) belongs to no cell. */
    bool (*warm_up)(void);
    /** Cells of times only, and cells of managed memory, whose counts are kept, too. @return whether all
     * calls succeeded and all data were right @{ */
    bool (*timed)(void);
    bool (*counted)(void);
    /** @} */
};

/** Reads the command line, runs the program's cells and prints them. @return the exit status */
int cells_main(int argc, char **argv, const struct cells_program *program);

/** One loop over a cell's repetitions. */
struct cell_repeat {
    int round, rounds, warm_up;
};

/** How often a cell of this size is repeated in this pass. */
struct cell_repeat cell_repeat(size_t bytes);

/** Goes to the next round. @return false when there is none left */
bool cell_next(struct cell_repeat *repeat);

/** Waits for the devices; then the cell's time and counts begin. */
void cell_start(void);

/** Waits for the devices. An error stays for the next checked call; the current device stays, too. */
void cell_wait(void);

/** The end of what cell_start() began: a sample for the cell of this name (printf's way). */
void cell_stop(const char *name, ...) __attribute__((format(printf, 1, 2)));

/** ... of a cell whose time is the host's own loop, which the simulator does not model: only its counts are
 * kept. */
void cell_stop_counts(const char *name, ...) __attribute__((format(printf, 1, 2)));

/** A time taken by other means, such as two events. */
void cell_time(double us, const char *name, ...) __attribute__((format(printf, 2, 3)));

/** What this device is, as two members of the first line: "attributes" and "capacity", by a profile's names.
 */
void cell_print_device(void);

/** A size as the names have it: "64K", "16M". Lives until the eighth next call. */
const char *cell_size(size_t bytes);

/** To be called where the host has touched so many pages: its own loop takes time as well, which the
 * simulator does not see. The first touch of a page that came from elsewhere took 212 ns on the machines with
 * the H200s
 * (`call/host touches moved pages`). */
void cell_host_touched(size_t pages);

/** Numbers below `limit` that are the same on every machine, from cell_random_start() on. @{ */
void cell_random_start(void);
unsigned cell_random(unsigned limit);
/** @} */

/** One cycle through all nodes, `words` apart, in random order (Sattolo's way): each has the next one's
 * place, as um_pointer_chase() wants it. @return false: no memory */
bool cell_cycle(uint64_t *next, size_t nodes, size_t words);

/** @name The chapters of the matrix of one device. @return whether all calls succeeded and all data were
 * right
 * @{ */
bool cells_of_allocations(void);
bool cells_of_calls(void);
bool cells_of_copies(void);
bool cells_of_kernels(void);
bool cells_of_managed_memory(void);
/** @} */

#endif
