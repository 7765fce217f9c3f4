/**
 * @file calls.h
 * @brief Constants and structures that lab 9's calls.c and checks*.c share.
 */
#ifndef LAB9_CALLS_H
#define LAB9_CALLS_H

#include "../exercise.h"

/** A question to choose(): each is about another machine. */
struct lab9_question {
    struct lab9_workload work;
    struct lab9_machine machine;
};

/** Bytes before and after the copied data that must not change. */
enum { LAB9_GUARD = 4096 };

/** Before a copy back, calls.c queues a kernel that writes this byte at regular intervals. */
enum { LAB9_MARK_EVERY = 4096, LAB9_MARK = 77 };

#endif
