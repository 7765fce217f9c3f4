/**
 * @file trial.h
 * @brief Tries kernels that may break CUDA in a separate process.
 *
 * A kernel that follows a bad pointer breaks CUDA for its whole process: every later call fails, and nothing
 * brings the device back. Nor can CUDA be used in a process that was forked after CUDA had started. So
 * main() first calls trial_service(), which starts a second process that never starts CUDA, and waits. For
 * each trial that process forks a third, which makes the memory in question, lets a kernel read it, notes
 * what each call returns, and ends.
 */
#ifndef LAB2_TRIAL_H
#define LAB2_TRIAL_H

#include "kernels.h"
#include "um_lab.h"

/** The memory that the kernel is to read. */
enum trial_memory { TRIAL_MALLOC, TRIAL_STACK, TRIAL_GLOBAL, TRIAL_PAST_END, TRIAL_FREED };

/** What the calls returned, in this order. */
struct trial_result {
    bool ended; /**< the host code lived to its end */
    cudaError_t launch, synchronize, copy, release, last, reset, allocate;
};

/**
 * Starts the second process. Call it before CUDA's first call, and before anything is printed. @return
 * whether it runs
 */
bool trial_service(void);

/** Ends the second process. */
void trial_end(void);

/**
 * Runs one trial, and waits for it. @return what the calls returned; `ended` is false when the trial did not
 * get that far
 */
struct trial_result trial_make(enum trial_memory memory, size_t bytes, bool quiet);

#endif
