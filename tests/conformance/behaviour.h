/**
 * @file behaviour.h
 * @brief Conformance tests compare what this backend answers with what hardware answered.
 *
 * Nobody types hardware's answer in: `make conformance BACKEND=cuda
 * RECORD=tests/conformance/measured/h200.json` on a machine with a GPU records it under the behaviour's name,
 * and the same test on the simulator has to give the same.
 *
 *     static void freeing_a_stack_address_is_refused(void)
 *     {
 *         int x;
 *         UM_RETURNS("cudaFree: stack address", cudaFree(&x));
 *         UM_BEHAVIOUR("cudaPointerGetAttributes: malloc'd: type", "%d", (int)attributes.type);
 *     }
 *
 * A behaviour without a recorded answer fails; while recording none is compared. Answers must not carry
 * addresses, or whatever else changes from run to run.
 */
#ifndef UM_BEHAVIOUR_H
#define UM_BEHAVIOUR_H

#include "um_test.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

/**
 * Compares an answer with hardware's, as an assertion of the running test. @param name unique, a few words:
 * call, then case. @param format printf's, for the answer.
 */
void um_behaviour(const char *file, unsigned line, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** An answer that the simulator is known to give, where hardware gives another one: which, and why. */
struct um_difference {
    const char *name, *ours, *why;
};

/** From now on the simulator has to give these answers to these names, each of them other than hardware's.
 * @param list lives as long as the tests */
void um_behaviour_differences(const struct um_difference *list, size_t count);

/** The answer is text. */
#define UM_BEHAVIOUR(name, ...) um_behaviour(__FILE__, __LINE__, name, __VA_ARGS__)

/** The answer is what a CUDA call returns, by its error's name. */
#define UM_RETURNS(name, call) UM_BEHAVIOUR(name, "%s", cudaGetErrorName(call))

#endif
