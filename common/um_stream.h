/**
 * @file um_stream.h
 * @brief A memcpy() whose stores bypass the caches, for data that this processor will not read again.
 *
 * An ordinary store first fetches the cache line that it writes to. So a copy moves three bytes over the
 * memory bus for each byte copied, and evicts useful data from the caches. Streaming stores move two. They
 * pay off where another reader wants the data, or where it is far larger than the caches. They are slower
 * where the target is already in a cache.
 */
#ifndef UM_STREAM_H
#define UM_STREAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * As memcpy(). On return, other threads and devices see the written data. On processors other than x86-64 it
 * is memcpy() itself.
 */
void um_stream_copy(void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
