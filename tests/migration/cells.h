/**
 * @file cells.h
 * @brief How the program of this folder takes its samples: a cell is one thing done to managed memory, by
 * name, several times.
 *
 *     for (int i = 0; rounds(i, MIB); i++) {
 *         start();
 *         launch and wait
 *         stop("sparse/%s/gpu read", text);
 *     }
 *
 * The same source runs on a GPU and on the simulator. Times are the host's clock, from the call or the first
 * touch to the end of the wait.
 */
#ifndef MIGRATION_CELLS_H
#define MIGRATION_CELLS_H

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define PAGE_WORDS ((size_t)1024)

inline void must(cudaError_t error, const char *what, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "line %d: %s: %s\n", line, what, cudaGetErrorString(error));
    exit(1);
}
#define MUST(call) must(call, #call, __LINE__)

/** Whether there is a round `i`; the first ones warm up and are not kept. Larger sizes have fewer. */
bool rounds(int i, size_t bytes);

/** Whether cells whose names begin so are asked for. */
bool is_asked(const char *name);

/** Waits for the device; then the time, and the counts, of a sample begin. */
void start();
/** The sample's end. */
void stop(const char *name, ...) __attribute__((format(printf, 1, 2)));
/** Waits for what was launched, then stop(). */
#define WAIT_AND_STOP(...) (MUST(cudaGetLastError()), MUST(cudaDeviceSynchronize()), stop(__VA_ARGS__))

/** Prints the cells that have come since the last call. */
void print_cells();

/** "64K", "16M"; lives until the eighth next call. */
const char *size_text(size_t bytes);

/** Lets the host's clock go on: busy on hardware, as work of the host on the simulator. */
void pass_us(unsigned us);

/** What the host's own touches take, which the simulator does not see: so many pages touched first since they
 * moved, so many words in all. Nothing on hardware. */
void host_worked(size_t pages, size_t words);

/** Managed memory; if `bytes` is less than 2 MiB, a block for itself all the same. */
int *managed(size_t bytes);

/** The host writes (reads) a word in each page, so that its own work is little beside the faults. @{ */
void host_writes_pages(int *p, size_t bytes);
int host_reads_pages(const int *p, size_t bytes);
/** @} */

/** @name Kernels over all of it, a thread an element @{ */
void gpu_adds(int *p, size_t bytes);
void gpu_reads(const int *p, size_t bytes);
/** @} */

void advise(int *p, size_t bytes, cudaMemoryAdvise advice, bool device);
/** Without a wait. */
void prefetch(int *p, size_t bytes, bool to_device);

/** Where kernels that read put what they must not leave out. */
extern int *sink;

/** @name Chapters @{ */
void cells_of_anchors();
void cells_of_sparse_touches();
void cells_of_turns();
void cells_of_advice();
void cells_of_walks();
/** @} */

#endif
