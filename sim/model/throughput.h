/**
 * @file throughput.h
 * @brief How long a multiprocessor has to do with an instruction, by class.
 *
 * A multiprocessor has four schedulers, each of which starts an instruction of a warp a clock. Of most
 * classes it has fewer units than lanes, so that an instruction takes its scheduler several slots. NVIDIA's
 * programming guide gives lanes a clock and multiprocessor for compute capability 9.0 ("Arithmetic
 * Instructions"): 128 for sums and products of floats, 64 for doubles and most of whole numbers, 16 for
 * special functions. These are 1, 2 and 8 slots. What an H200 takes for chains of each class, and for the
 * loops of tests/cost, is near that: sums of whole numbers go by two ways at once, and a little is lost in
 * each class.
 */
#ifndef UMSIM_MODEL_THROUGHPUT_H
#define UMSIM_MODEL_THROUGHPUT_H

#include "../include/umsim/abi.h"
#include "../include/umsim/reach.h"

#define UMSIM_SCHEDULERS 4

/** Slots of a scheduler, by class. */
static const double umsim_slots[UMSIM_WORK_INSTRUCTIONS] = {
    [UMSIM_WORK_ADD] = 1.0,     [UMSIM_WORK_LOGIC] = 1.4,  [UMSIM_WORK_MULTIPLY] = 2.0,
    [UMSIM_WORK_SINGLE] = 1.05, [UMSIM_WORK_DOUBLE] = 2.0, [UMSIM_WORK_SPECIAL] = 1,
    [UMSIM_WORK_CONVERT] = 1,   [UMSIM_WORK_OTHER] = 1.0};

/** Special functions and conversions have units of their own, which take so many slots. */
#define UMSIM_SPECIAL_SLOTS 8.1

/** An access of a warp to memory, to shared memory, and what warps and blocks do together (worker/counts.h).
 */
#define UMSIM_ACCESS_SLOTS 2.0
#define UMSIM_SHARED_SLOTS 1.0
#define UMSIM_BARRIER_SLOTS 8.3
static const double umsim_meeting_slots[] = {5, 3, 8, 8};

/** How long a thread waits for it, clocks. */
#define UMSIM_BARRIER_CLOCKS 12.0
static const double umsim_meeting_clocks[] = {24, 12, 20, 33};

/** By so much a chain of instructions takes longer than they do by themselves: an H200 takes 4.55 clocks for
 * each of a chain of multiply-adds, which take 4. */
#define UMSIM_CHAIN_CLOCKS 1.14

/**
 * Sums and products that a scheduler gets done in a slot, in large products of NVIDIA's library. What the
 * units could do comes from NVIDIA's tables: 128 fused operations a clock and multiprocessor of float, 64 of
 * double, and on tensor cores 128 of double, 1024 of TF32, 2048 of half and 4096 of 8-bit numbers. The shares
 * are what products of 8192 rows got of that on an H200 (tests/libraries/measured/h200.txt); 8-bit numbers in
 * columns get little. Double outside of tensor cores was not measured: it is given float's share.
 */
#define UMSIM_SHARE_SINGLE 0.76
#define UMSIM_SHARE_TENSOR_DOUBLE 0.96
#define UMSIM_SHARE_TF32 0.84
#define UMSIM_SHARE_HALF 0.80
#define UMSIM_SHARE_INT8 0.06
static const double umsim_unit_operations[UMSIM_UNITS] = {
    [UMSIM_UNIT_SINGLE] = 2 * 128 / UMSIM_SCHEDULERS * UMSIM_SHARE_SINGLE,
    [UMSIM_UNIT_DOUBLE] = 2 * 64 / UMSIM_SCHEDULERS * UMSIM_SHARE_SINGLE,
    [UMSIM_UNIT_TENSOR_DOUBLE] = 2 * 128 / UMSIM_SCHEDULERS * UMSIM_SHARE_TENSOR_DOUBLE,
    [UMSIM_UNIT_TENSOR_TF32] = 2 * 1024 / UMSIM_SCHEDULERS * UMSIM_SHARE_TF32,
    [UMSIM_UNIT_TENSOR_HALF] = 2 * 2048 / UMSIM_SCHEDULERS * UMSIM_SHARE_HALF,
    [UMSIM_UNIT_TENSOR_INT8] = 2 * 4096 / UMSIM_SCHEDULERS * UMSIM_SHARE_INT8};

/**
 * Clocks of one block from a step along the sum of a product to the next, where tensor cores wait for memory
 * rather than memory for them: from products of 1024 rows on an H200 less those of 128 (the same record).
 */
static const uint64_t umsim_unit_step[UMSIM_UNITS] = {
    [UMSIM_UNIT_TENSOR_TF32] = 24, [UMSIM_UNIT_TENSOR_HALF] = 24, [UMSIM_UNIT_TENSOR_INT8] = 48};

#endif
