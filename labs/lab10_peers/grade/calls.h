/**
 * @file calls.h
 * @brief Lab 10: what calls.c tells checks.c beside the outputs.
 */
#ifndef LAB10_CALLS_H
#define LAB10_CALLS_H

#include <stdint.h>

/** The head of the outputs. */
struct lab10_left {
    int32_t device;    /**< the current device behind the call */
    int32_t is_own[2]; /**< smooth_both: half[d].now is one of that half's two arrays */
    int32_t padding;
};

#endif
