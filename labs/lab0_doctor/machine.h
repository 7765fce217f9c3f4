/**
 * @file machine.h
 * @brief What lab 0 finds out without measuring: backend and tools, device, attributes, and which memory can
 * be had.
 */
#ifndef LAB0_MACHINE_H
#define LAB0_MACHINE_H

#include "um_lab.h"

/** Prints all of it. */
void report_machine(FILE *out);

#endif
