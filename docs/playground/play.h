/**
 * @file play.h
 * @brief Runs a scenario on the paging policy (sim/uvm) and the cost model (sim/model) alone: no process, no
 * memory behind the addresses, no system call. The site's playground is this, compiled to WebAssembly.
 *
 *     play_start(&scenario, &profile)      an array that nobody has touched
 *     play_step()                          does the next step: counts, events and pages are those after it
 *
 * Counts and times are those of a program that allocates the array, does the same accesses, launches a kernel
 * of one thread a touch for each of the GPU's, and waits for each: tests/playground runs that program.
 */
#ifndef UMLAB_PLAYGROUND_PLAY_H
#define UMLAB_PLAYGROUND_PLAY_H

#include "scenario.h"
#include "model/profile.h"

/** What is counted, of a step or of all so far. `play_count_name()` has their names for programs. */
enum play_count {
    PLAY_TIME_NS,
    PLAY_CPU_FAULTS,
    PLAY_GPU_FAULT_GROUPS,
    PLAY_HTOD,           /**< bytes moved to the device: the sum of the four causes below it */
    PLAY_HTOD_USER,      /**< ... because a prefetch asked for it */
    PLAY_HTOD_COHERENCE, /**< ... because that very page faulted */
    PLAY_HTOD_PREFETCH,  /**< ... along with a neighbour's fault */
    PLAY_HTOD_EVICTION,
    PLAY_DTOH,
    PLAY_DTOH_USER,
    PLAY_DTOH_COHERENCE,
    PLAY_DTOH_PREFETCH,
    PLAY_DTOH_EVICTION,
    PLAY_DTOD, /**< from one GPU to the other, over the link between them */
    PLAY_DTOD_USER,
    PLAY_DTOD_COHERENCE,
    PLAY_DTOD_PREFETCH,
    PLAY_DTOD_EVICTION,
    PLAY_EVICTIONS,
    PLAY_DUPLICATES,  /**< pages copied, with the original kept */
    PLAY_INVALIDATED, /**< pages of which one copy was dropped */
    PLAY_REMOTE_MAPS, /**< pages in another's memory that a GPU has mapped */
    PLAY_THRASHING,
    PLAY_THROTTLES,
    PLAY_COUNTS
};

/** GPUs that are played with: of a machine with more, the first ones. */
#define PLAY_DEVICES_MAX 2

/** Of the last step, in order; `type`, `processor`, `from` and `cause` as in struct uvm_event (uvm.h). */
struct play_event {
    int32_t type, processor, cause, is_write;
    uint32_t page, pages; /* of the array */
    uint32_t groups, wait_us;
    int32_t from, stays; /* where pages that move come from; whether they stay there, too: a copy was made */
};
/** Further events of one step are counted, and left out. */
#define PLAY_EVENTS_MAX 20000

/** Bits of play_pages(). */
#define PLAY_ON_HOST 1
#define PLAY_ON_GPU 2
#define PLAY_HOST_READS 4 /**< granted: it reads without a fault */
#define PLAY_GPU_READS 8
#define PLAY_HOST_WRITES 16
#define PLAY_GPU_WRITES 32
#define PLAY_ON_GPU_1 64
#define PLAY_GPU_1_READS 128

/** @return NULL, or why the scenario cannot be on this machine, or go on; one sentence */
const char *play_start(const struct scenario *scenario, const struct umsim_profile *profile);

/** Does the next step, if there is one. @return as play_start() */
const char *play_step(void);

/** How many GPUs the machine has, of those that are played with. */
unsigned play_devices(void);

/** How many steps have been done. */
unsigned play_steps(void);

/** A count of the last step, or (`all`) of all steps so far. */
uint64_t play_count(enum play_count count, bool all);

/** As the JSON of tests has it, e.g. "cpu_faults". */
const char *play_count_name(enum play_count count);

/** The events of the last step. @param[out] left_out how many more there were */
const struct play_event *play_events(unsigned *count, uint64_t *left_out);

/** Where each 4 KiB page of the array is, and who may do what to it; PLAY_... bits. @param[out] count pages
 */
const uint8_t *play_pages(unsigned *count);

#endif
