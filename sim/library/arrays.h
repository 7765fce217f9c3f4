/**
 * @file arrays.h
 * @brief What the simulator's libraries of kernels (cuBLAS and its kind) share: the check of each array
 * before a kernel starts, and the parts of a version.
 *
 * A library links sim/library/ into itself, and exports none of it.
 */
#ifndef UMSIM_LIBRARY_ARRAYS_H
#define UMSIM_LIBRARY_ARRAYS_H

#include "../include/library_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** a * b and a + b, or the largest number where that is more: an array that no memory holds. */
uint64_t umsim_times(uint64_t a, uint64_t b);
uint64_t umsim_plus(uint64_t a, uint64_t b);

/**
 * Checks that kernels can access all of an array. If they cannot, a line on stderr names the call and the
 * argument, and says why: the array is NULL, in the host's own memory, longer than its allocation (or freed),
 * or longer than any memory. Where it is false, no kernel may start.
 * @param call the library's function, as the program writes it ("cublasSgemm")
 * @param name the argument
 * @param n the number of elements from the first to the last; 0: nothing is accessed, so anything is right
 */
bool umsim_reaches(const char *call, const char *name, const void *p, uint64_t n, uint64_t element_size);

/**
 * One part of a library's version, for cublasGetProperty() and its kind.
 * @param version major * 10000 + minor * 100 + patch level
 * @return -1: there is no such part
 */
int umsim_version_part(int version, libraryPropertyType part);

#ifdef __cplusplus
}
#endif
#endif
