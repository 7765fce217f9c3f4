/**
 * @file exercise.h
 * @brief Lab 9's exercises: choose the memory for a workload, and copy ordinary memory faster than cudaMemcpy does.
 */
#ifndef LAB9_EXERCISE_H
#define LAB9_EXERCISE_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#include "workload.h"

enum lab9_kind choose(const struct lab9_workload *workload);

#endif
