/**
 * @file exercise.h
 * @brief The grader's own exercise: what it solves itself before the first submission (grade/canary.c).
 *
 * It uses what solutions use, so a machine that lacks some of it is found before a student's marks can depend
 * on it.
 */
#ifndef UM_CANARY_EXERCISE_H
#define UM_CANARY_EXERCISE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "kernels.h"

/**
 * c = a + b, by a kernel. `a` goes to device memory by way of pinned memory, `b` into managed memory, and the
 * sum comes back by way of pinned memory. Memory of its own is touched, too: as much as the three arrays.
 * @return the first error; everything is given back
 */
cudaError_t um_canary_add(float *c, const float *a, const float *b, size_t n);

#endif
