/**
 * @file finding.h
 * @brief What the tests of claims about GPU pointers find, kept under a name: docs/claims shows it.
 *
 * Answers (an error's name, a count, yes or no) are behaviours like those of tests/conformance: the H200's
 * are kept in tests/claims/measured/h200.json, and the simulator has to give the same. Times are kept apart:
 * a modelled time is not a measured one, so they are shown beside each other and never compared. What a test
 * concludes from its times it asserts itself. Names begin with the test's own: "host-cannot-read: signal".
 *
 * tests/claims/record.py writes both files.
 */
#ifndef CLAIMS_FINDING_H
#define CLAIMS_FINDING_H

#include "conformance/behaviour.h"
#include "conformance/child.h"

/** The answer is text, compared with the H200's. */
#define FOUND(name, ...) UM_BEHAVIOUR(name, __VA_ARGS__)

/** The answer is what a CUDA call returns. */
#define FOUND_RESULT(name, call) UM_RETURNS(name, call)

/** "yes" or "no". */
#define FOUND_WHETHER(name, condition) UM_BEHAVIOUR(name, "%s", (condition) ? "yes" : "no")

/** Keeps a time, a rate or a ratio of times: modelled on the simulator, measured on a GPU. @param unit e.g.
 * "us" */
void found_time(const char *name, double value, const char *unit);

/** Forgets the error that a refused call left. */
static inline void forget(void)
{
    (void)cudaGetLastError();
}

/** The CUDA call has to succeed, else the test ends. In a child, too. */
#define NEED(call) CHILD_NEED(call)

#endif
