/**
 * @file calls.h
 * @brief Constants and structures that lab 3's calls.c and checks*.c share.
 */
#ifndef LAB3_CALLS_H
#define LAB3_CALLS_H

#include <stdint.h>

#include "../exercise.h"

/** A question to should_pin(): each is about another machine. */
struct lab3_question {
    uint64_t bytes, copies;
    struct lab3_machine machine;
};

/** Floats behind y that must not change. */
enum { LAB3_GUARD = 1024 };

#endif
