/**
 * @file moves.h
 * @brief What a step of a program moved, by the simulator's counters, and the steps that these tests are made
 * of.
 *
 *     char *p = managed(64 * MiB);
 *     // bytes to the device, to the host, CPU faults, GPU faults
 *     MOVES(0, 0, 192, 0, host_writes(p, 64 * MiB));
 *     MOVES(64 * MiB, 0, 0, SOME, gpu_reads(p, 64 * MiB));
 *     CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
 *
 * How many groups the GPU's faults come in depends on timing on hardware: here it is only asked whether there
 * are any.
 */
#ifndef MANAGED_MOVES_H
#define MANAGED_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "um_cuda_compat.h"
#include "um_test.h"
#include "umsim.h"
#include "umsim/page.h"

#define KiB ((size_t)1 << 10)
#define MiB ((size_t)1 << 20)
#define PAGE ((size_t)UMSIM_PAGE_BYTES)
#define BLOCK (2 * MiB)

/** GPU fault groups: at least one. */
#define SOME (-1)

/** The counters now, when all that was issued has run. */
struct umsim_counters counters_now(void);

/** `after` minus `before`, count by count. */
struct umsim_counters counters_between(const struct umsim_counters *before,
                                       const struct umsim_counters *after);

/** Prints all counters as name=value lines, for again_number(). */
void counters_print(const struct umsim_counters *counters);

/** Compares a step with what it should have moved; the test fails with all of it in words. */
void moves_check(const char *file, unsigned line, const char *step, const struct umsim_counters *before,
                 uint64_t htod, uint64_t dtoh, uint64_t cpu_faults, long groups);

#define MOVES(htod, dtoh, cpu_faults, groups, ...)                                                           \
    do {                                                                                                     \
        const struct umsim_counters moves_before_ = counters_now();                                          \
        __VA_ARGS__;                                                                                         \
        moves_check(__FILE__, __LINE__, #__VA_ARGS__, &moves_before_, htod, dtoh, cpu_faults, groups);       \
    } while (0)

/** A fresh managed allocation; the test ends without. cudaFree() it. */
void *managed(size_t bytes);
/** One that the host has written; one that has been written by the host and brought to the device. @{ */
void *managed_on_host(size_t bytes);
void *managed_on_device(size_t bytes);
/** @} */

/** The host touches all of it, in order: each KiB. @{ */
void host_writes(void *p, size_t bytes);
void host_reads(const void *p, size_t bytes);
/** @} */

/** A kernel reads (writes) all of it. @{ */
void gpu_reads(const void *p, size_t bytes);
void gpu_writes(void *p, size_t bytes);
/** @} */

/** cudaMemPrefetchAsync and cudaMemAdvise; `processor` is 0 or cudaCpuDeviceId. @{ */
void prefetch(const void *p, size_t bytes, int processor);
void advise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int processor);
/** @} */

#endif
