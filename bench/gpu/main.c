/**
 * @file main.c
 * @brief The command line, the conditions, and the order: the targets' sizes first, then the others as far as
 * time goes.
 */
#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "um_backend.h"
#include "um_options.h"
#include "um_time.h"

static const char usage[] = "usage: gpu [--quick] [--size 1G] [--samples N] [--seconds N] [--only TEXT]\n"
                            "  Measures every path to and from a GPU's memory, and prints JSON lines: `make "
                            "bench BACKEND=cuda` makes a table of it.\n"
                            "  --quick      fewer sizes and samples, in 20 s instead of 100\n"
                            "  --size       the largest (1G); managed memory stays at 256 MiB\n"
                            "  --samples    at most, of each path and size (31; quick: 9)\n"
                            "  --seconds    for all (100; quick: 20): what does not fit is told as skipped\n"
                            "  --only       the paths whose name contains TEXT\n";

enum { SAMPLES = 31, SAMPLES_QUICK = 9, SECONDS = 100, SECONDS_QUICK = 20, THREADS_MOST = 16 };

/* What a cell may take: the targets' sizes more than the others. */
static double cell_us(const struct gpu_run *run, enum gpu_pass pass)
{
    if (run->quick)
        return pass == GPU_KEY ? 200e3 : 40e3;
    return pass == GPU_KEY ? 500e3 : 100e3;
}

static int bad(const char *option, const char *text, const char *what)
{
    fprintf(stderr, "gpu: %s %s: %s\n", option, text, what);
    return UM_EXIT_CANNOT;
}

/* @return NULL, or what is wrong with the value. */
static const char *take(struct gpu_run *run, const char *option, const char *text)
{
    uint64_t number = 0;
    const char *wrong = NULL;
    if (strcmp(option, "--only") == 0)
        run->only = text;
    else if (strcmp(option, "--size") == 0) {
        wrong = um_parse_size(text, &run->largest);
        if (!wrong && (run->largest < GPU_PAGE || (run->largest & (run->largest - 1))))
            wrong = "is not a power of two from 4 KiB on";
    } else if (strcmp(option, "--samples") == 0) {
        wrong = um_parse_count(text, 1, GPU_SAMPLES_MAX, &number);
        run->samples = (unsigned)number;
    } else if (strcmp(option, "--seconds") == 0) {
        wrong = um_parse_count(text, 0, 3600, &number);
        run->seconds = (double)number;
    } else
        wrong = "there is no such option (--help)";
    return wrong;
}

/* @return -1 to go on, else the exit code. */
static int parse(struct gpu_run *run, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *wrong;
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return UM_EXIT_OK;
        }
        if (strcmp(argv[i], "--quick") == 0) {
            run->quick = true;
            continue;
        }
        wrong =
            i + 1 < argc ? take(run, argv[i], argv[i + 1]) : "there is no value, or no such option (--help)";
        if (wrong)
            return bad(argv[i], i + 1 < argc ? argv[i + 1] : "", wrong);
        i++;
    }
    if (run->samples == 0)
        run->samples = run->quick ? SAMPLES_QUICK : SAMPLES;
    if (run->seconds < 0)
        run->seconds = run->quick ? SECONDS_QUICK : SECONDS;
    return -1;
}

static void print_conditions(const struct gpu_run *run)
{
    const struct um_device *device = um_device();
    char name[2 * sizeof device->name], *to = name;
    for (const char *from = device->name; *from; from++) {
        if (*from == '"' || *from == '\\')
            *to++ = '\\';
        *to++ = *from;
    }
    *to = '\0';
    printf(
        "{\"conditions\": {\"backend\": \"%s\", \"times\": \"%s\", \"device\": \"%s\", \"driver\": \"%s\", "
        "\"cuda\": %d, \"memory_bytes\": %zu, \"multiprocessors\": %d, \"host_cores\": %ld, "
        "\"host_threads\": %d, \"held_by_spin\": %s, \"quick\": %s, \"samples_most\": %u}}\n",
        um_backend_name(), um_times(), name, device->driver, device->runtime, device->total_bytes,
        device->multiprocessors, sysconf(_SC_NPROCESSORS_ONLN), run->threads, run->spin ? "true" : "false",
        run->quick ? "true" : "false", run->samples);
    fflush(stdout);
}

static void measure(struct gpu_run *run)
{
    static void (*const paths[])(struct gpu_run *, enum gpu_pass) = {gpu_engines, gpu_pageable, gpu_mapped,
                                                                     gpu_device,  gpu_managed,  gpu_homes};
    for (int pass = GPU_KEY; pass <= GPU_SWEEP; pass++) {
        run->cell_us = cell_us(run, (enum gpu_pass)pass);
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            const double begun = um_now_us();
            paths[i](run, (enum gpu_pass)pass);
            fprintf(stderr, "gpu: part %zu of %zu, %s: %.1f s\n", i + 1, sizeof paths / sizeof *paths,
                    pass == GPU_KEY ? "the targets' sizes" : "the other sizes", (um_now_us() - begun) / 1e6);
        }
    }
}

int main(int argc, char **argv)
{
    struct gpu_run run = {.largest = 1024 * GPU_MIB, .seconds = -1};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int status = parse(&run, argc, argv);
    if (status < 0)
        status = um_device_ready("gpu");
    if (status < 0) /* three arrays of the device's, two of the host's */
        status = um_size_fits("gpu", 3.0 * (double)run.largest, 2.0 * (double)run.largest);
    if (status >= 0)
        return status;
    run.threads = cores < 1 ? 1 : cores < THREADS_MOST ? (int)cores : THREADS_MOST;
    if (!gpu_run_open(&run))
        return UM_EXIT_FAILED;
    run.end_us = um_now_us() + run.seconds * 1e6;
    print_conditions(&run);
    measure(&run);
    gpu_run_close(&run);
    if (run.failed)
        fprintf(stderr, "gpu: %d cells failed\n", run.failed);
    return run.failed ? UM_EXIT_FAILED : UM_EXIT_OK;
}
