/**
 * @file calls.h
 * @brief What the grader asks of lab 2's calls.c: pointers to places of every kind.
 */
#ifndef LAB2_CALLS_H
#define LAB2_CALLS_H

#include <stdint.h>

enum lab2_memory {
    LAB2_AT_HEAP,
    LAB2_AT_STACK,
    LAB2_AT_GLOBAL,
    LAB2_AT_LITERAL, /**< a string in read-only memory */
    LAB2_AT_HOLE,    /**< mmap'd: readable pages, one that is closed at byte `bytes`, one readable page */
    LAB2_AT_NULL,
    LAB2_AT_DEVICE,
    LAB2_AT_DEVICE_FREED,
    LAB2_AT_PINNED,
    LAB2_AT_PINNED_FREED,
    LAB2_AT_MAPPED,
    LAB2_AT_REGISTERED,
    LAB2_AT_UNREGISTERED,   /**< registered, then unregistered */
    LAB2_AT_MANAGED_HOST,   /**< its pages are in the host's memory */
    LAB2_AT_MANAGED_DEVICE, /**< ... in the GPU's */
    LAB2_AT_MANAGED_FREED
};

/** One question: about the byte, or the n bytes, `offset` bytes into memory of `bytes` bytes. */
struct lab2_place {
    int32_t memory; /**< enum lab2_memory */
    int32_t unused;
    int64_t offset;
    uint64_t bytes, n;
};

enum {
    LAB2_NOT_SET_UP = -1,  /**< the answer where the memory could not be allocated */
    LAB2_FIXED_BYTES = 512 /**< of stack, global and literal */
};

#endif
