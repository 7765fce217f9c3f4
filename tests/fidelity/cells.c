/**
 * @file cells.c
 * @brief What `make fidelity`'s programs share: the command line, samples and how they are printed.
 *
 *     build/sim/test/fidelity                 times and counts, one round of each: they repeat
 *     build/cuda/test/fidelity --pass times   several rounds, CUPTI off
 *     build/cuda/test/fidelity --pass counts  managed memory only, CUPTI on
 *     ... --largest 64                        no cells above so many MiB; with 0 only what would run
 *
 * Output, JSON Lines: first what ran, then a line a cell with its samples (microseconds; CPU faults, GPU
 * fault groups, bytes to the device, bytes to the host, and with two devices bytes from one to the other).
 * tests/fidelity/fidelity.py runs it and compares.
 */
#include "cells.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime_api.h>

#include "um_backend.h"
#include "um_check.h"
#include "um_counters.h"
#include "um_cupti.h"
#include "um_options.h"
#include "um_result.h"
#include "um_time.h"

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

#define HOST_TOUCH_NS 212

#define CELLS_MAX 1500
#define SAMPLES_MAX 24
#define NAME_MAX_LENGTH 80

struct sample {
    double us; /* negative: none */
    struct um_counters counts;
};

struct cell {
    char name[NAME_MAX_LENGTH];
    int samples;
    struct sample sample[SAMPLES_MAX];
};

static struct cell cells[CELLS_MAX];
static int cell_count;
static bool keep_times = true, keep_counts = true, keeping, overflow;
static size_t largest = 256 * MIB;
static int devices = 1;
static double started_us;
static struct um_counters started_counts;

struct cell_repeat cell_repeat(size_t bytes)
{
    if (um_is_sim()) /* one of small sizes comes before: what was done last, and when, matters there */
        return bytes > 4 * MIB ? (struct cell_repeat){-1, 1, 0} : (struct cell_repeat){-1, 2, 1};
    if (keep_counts)
        return (struct cell_repeat){-1, 4, 1};
    if (bytes > 64 * MIB)
        return (struct cell_repeat){-1, 8, 1};
    return bytes > MIB ? (struct cell_repeat){-1, 11, 2} : (struct cell_repeat){-1, 18, 3};
}

bool cell_next(struct cell_repeat *repeat)
{
    repeat->round++;
    keeping = repeat->round >= repeat->warm_up;
    return repeat->round < repeat->rounds;
}

size_t cell_largest(void)
{
    return largest;
}

void cell_wait(void)
{
    int current = 0;

    if (devices == 1) {
        (void)cudaDeviceSynchronize();
        return;
    }
    (void)cudaGetDevice(&current);
    for (int i = 0; i < devices; i++) {
        (void)cudaSetDevice(i);
        (void)cudaDeviceSynchronize();
    }
    (void)cudaSetDevice(current);
}

void cell_host_touched(size_t pages)
{
#ifdef UMLAB_SIM
    umsim_host_work_ns(pages * HOST_TOUCH_NS);
#else
    (void)pages;
#endif
}

void cell_start(void)
{
    cell_wait();
    if (keep_counts)
        started_counts = um_counters_now();
    started_us = um_now_us();
}

/* The cell of this name, made when there is none; NULL when there are too many. The last one is looked at
 * first. */
static struct cell *cell_of(const char *name)
{
    for (int i = cell_count - 1; i >= 0; i--)
        if (strcmp(cells[i].name, name) == 0)
            return &cells[i];
    if (cell_count == CELLS_MAX) {
        overflow = true;
        return NULL;
    }
    snprintf(cells[cell_count].name, sizeof cells[cell_count].name, "%s", name);
    return &cells[cell_count++];
}

static void add(const struct sample *sample, const char *format, va_list arguments)
{
    char name[NAME_MAX_LENGTH];
    struct cell *cell;

    if (!keeping)
        return;
    vsnprintf(name, sizeof name, format, arguments);
    cell = cell_of(name);
    if (cell && cell->samples < SAMPLES_MAX)
        cell->sample[cell->samples++] = *sample;
}

static struct sample now(void)
{
    struct sample sample = {um_now_us() - started_us, {0}};

    if (keep_counts) {
        cell_wait();
        sample.counts = um_counters_difference(started_counts, um_counters_now());
    }
    return sample;
}

void cell_stop(const char *name, ...)
{
    struct sample sample = now();
    va_list arguments;

    va_start(arguments, name);
    add(&sample, name, arguments);
    va_end(arguments);
}

void cell_stop_counts(const char *name, ...)
{
    struct sample sample = now();
    va_list arguments;

    sample.us = -1;
    va_start(arguments, name);
    add(&sample, name, arguments);
    va_end(arguments);
}

void cell_time(double us, const char *name, ...)
{
    struct sample sample = {us, {0}};
    va_list arguments;

    va_start(arguments, name);
    add(&sample, name, arguments);
    va_end(arguments);
}

const char *cell_size(size_t bytes)
{
    static char text[8][16];
    static int next;
    char *out = text[next++ % 8];

    if (bytes >= MIB)
        snprintf(out, sizeof text[0], "%zuM", bytes / MIB);
    else
        snprintf(out, sizeof text[0], "%zuK", bytes / KIB);
    return out;
}

static uint64_t random_state;

void cell_random_start(void)
{
    random_state = 1;
}

unsigned cell_random(unsigned limit)
{
    random_state =
        random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth's MMIX */
    return (unsigned)((random_state >> 33) * limit >> 31);
}

bool cell_cycle(uint64_t *next, size_t nodes, size_t words)
{
    uint32_t *order = malloc(nodes * sizeof *order);

    if (!order)
        return false;
    for (size_t i = 0; i < nodes; i++)
        order[i] = (uint32_t)i;
    for (size_t i = nodes - 1; i > 0; i--) {
        size_t j = cell_random((unsigned)i);
        uint32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (size_t i = 0; i < nodes; i++)
        next[order[i] * words] = order[(i + 1) % nodes] * words;
    free(order);
    return true;
}

static void print_times(const struct cell *cell)
{
    const char *between = "";

    printf(", \"us\": [");
    for (int i = 0; i < cell->samples; i++) {
        if (cell->sample[i].us < 0)
            continue;
        printf("%s%.3f", between, cell->sample[i].us);
        between = ", ";
    }
    printf("]");
}

static void print_counts(const struct cell *cell)
{
    printf(", \"counts\": [");
    for (int i = 0; i < cell->samples; i++) {
        const struct um_counters *c = &cell->sample[i].counts;
        printf("%s[%lld, %lld, %lld, %lld", i ? ", " : "", (long long)c->cpu_faults,
               (long long)c->gpu_fault_groups, (long long)c->bytes_migrated_h2d,
               (long long)c->bytes_migrated_d2h);
        if (devices > 1)
            printf(", %lld", (long long)c->bytes_migrated_d2d);
        printf("]");
    }
    printf("]");
}

/* The chapters of managed memory. */
static bool is_counted(const char *name)
{
    return strncmp(name, "managed/", 8) == 0 || strncmp(name, "peers/managed/", 14) == 0;
}

static void print_all(void)
{
    const struct um_device *device = um_device();

    printf("{\"schema\": \"umlab-fidelity-samples/1\", \"backend\": \"%s\", \"device\": \"%s\", \"profile\": "
           "\"%s\", "
           "\"driver\": \"%s\", \"cuda\": %d, ",
           um_backend_name(), device->name, device->profile, device->driver, device->runtime);
    if (devices > 1)
        printf("\"devices\": %d, ", devices);
    cell_print_device();
    printf("}\n");
    for (int i = 0; i < cell_count; i++) {
        printf("{\"cell\": \"%s\"", cells[i].name);
        if (keep_times)
            print_times(&cells[i]);
        if (keep_counts && is_counted(cells[i].name))
            print_counts(&cells[i]);
        printf("}\n");
    }
}

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--pass times|counts] [--largest MIB]   (on the simulator one pass gives both)\n",
            program);
    return UM_EXIT_CANNOT;
}

/* @return false for what usage() does not say */
static bool read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            return false;
        if (strcmp(argv[i], "--pass") == 0) {
            keep_times = strcmp(argv[i + 1], "times") == 0;
            keep_counts = strcmp(argv[i + 1], "counts") == 0;
        } else if (strcmp(argv[i], "--largest") == 0) {
            largest = strtoul(argv[i + 1], NULL, 10) * MIB;
        } else {
            return false;
        }
    }
    return (keep_times || keep_counts) && (um_is_sim() || !(keep_times && keep_counts)) &&
           largest <= 256 * MIB;
}

int cells_main(int argc, char **argv, const struct cells_program *program)
{
    bool good;
    int stop;

    if (!read_arguments(argc, argv))
        return usage(program->name);
    stop = um_device_ready(program->name);
    if (stop >= 0)
        return stop;
    devices = program->devices;
    if (!program->usable())
        return UM_EXIT_CANNOT;
    if (largest == 0) { /* what would run? */
        print_all();
        return UM_EXIT_OK;
    }
    if (!um_is_sim() && keep_counts && !um_cupti_start()) {
        fprintf(stderr, "%s: no counts here: %s\n", program->name, um_cupti_why());
        return UM_EXIT_CANNOT;
    }
    good = program->warm_up();
    if (keep_times)
        good = good && program->timed();
    good = good && program->counted();
    if (overflow)
        fprintf(stderr, "%s: more than %d cells\n", program->name, CELLS_MAX);
    print_all();
    return good && !overflow ? UM_EXIT_OK : UM_EXIT_FAILED;
}
