/**
 * @file um_mapped.h
 * @brief Finds out whether the host may touch a range, without touching it.
 */
#ifndef UM_MAPPED_H
#define UM_MAPPED_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Whether each byte of [p, p + bytes) is mapped for reading and, with `write`, for writing. Another thread
 * may unmap it right after.
 */
bool um_mapped(const void *p, size_t bytes, bool write);

#endif
