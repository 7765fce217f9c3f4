/**
 * @file source_line.h
 * @brief Finds the source line that a code address belongs to, from the debug information.
 */
#ifndef UMSIM_SOURCE_LINE_H
#define UMSIM_SOURCE_LINE_H

#include <stddef.h>

/**
 * Writes "lab2.c:41" if the program was compiled with -g and binutils' addr2line is installed; otherwise
 * "main+0x2f" or "a.out+0x11f0".
 * @param return_address as __builtin_return_address(0) returns it
 */
void umsim_source_line(const void *return_address, char *text, size_t size);

/**
 * Also writes the function that the line is in, such as "scale(float*, int)", or "" where nothing is known.
 * An address in an inline function of the simulator's headers counts as its caller's line.
 */
void umsim_source_place(const void *return_address, char *function, size_t function_size, char *line,
                        size_t size);

/** In a format, for a code address: the place is to be found out later, because to ask addr2line takes a
 * hundred times as long as the rest. */
#define UMSIM_SOURCE_LATER "\001%p\002"

/** Copies `text`, with the line of each such place. */
void umsim_source_lines(const char *text, char *out, size_t size);

#endif
