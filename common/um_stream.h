/**
 * @file um_stream.h
 * @brief memcpy() with stores that go past the caches, for data that this processor will not look at again.
 *
 * An ordinary store first fetches the line that it writes to: a copy then moves three bytes over the memory's
 * bus for each byte copied, and throws out of the caches what is wanted there. Where what is written is for
 * somebody else, or far larger than the caches, streaming stores move two. Where the target is in a cache
 * already they are slower.
 */
#ifndef UM_STREAM_H
#define UM_STREAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** As memcpy(). On return other threads and devices see what was written. Other processors than x86-64:
 * memcpy() itself. */
void um_stream_copy(void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
