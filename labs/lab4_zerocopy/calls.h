/**
 * @file calls.h
 * @brief What lab 4's calls.c and checks.c agree on.
 */
#ifndef LAB4_CALLS_H
#define LAB4_CALLS_H

/** Returned where the caller's own calls of CUDA fail, so that the student's function was not called. */
enum { LAB4_NOT_SET_UP = -1 };

#endif
