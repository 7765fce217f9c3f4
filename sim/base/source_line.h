/**
 * @file source_line.h
 * @brief The line of source that a code address belongs to, as the debug information says.
 */
#ifndef UMSIM_SOURCE_LINE_H
#define UMSIM_SOURCE_LINE_H

#include <stddef.h>

/**
 * Writes "lab2.c:41" (compiled with -g, and binutils' addr2line is there), else "main+0x2f" or
 * "a.out+0x11f0".
 * @param return_address as __builtin_return_address(0) gives it
 */
void umsim_source_line(const void *return_address, char *text, size_t size);

/**
 * Also the function that the line is in: "scale(float*, int)"; "" where nothing is known. The inline
 * functions of the simulator's headers count as their callers' lines.
 */
void umsim_source_place(const void *return_address, char *function, size_t function_size, char *line,
                        size_t size);

#endif
