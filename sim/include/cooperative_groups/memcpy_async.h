/**
 * @file memcpy_async.h
 * @brief cooperative_groups::memcpy_async(): a group copies together. Here the copy is made at the call;
 * wait() is where the group may use it, and a program that forgets it is as wrong as on a GPU.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define UMSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#ifdef __UMCC__

namespace cooperative_groups
{

/** Copies `bytes` bytes, each thread of the group its part. */
template <class Group, class To, class From>
__device__ inline void memcpy_async(const Group &group, To *to, const From *from, size_t bytes)
{
    const size_t part = (bytes + group.size() - 1) / group.size(), first = group.thread_rank() * part;
    if (first < bytes)
        memcpy((char *)to + first, (const char *)from + first, bytes - first < part ? bytes - first : part);
}

/** Copies elements: as many as both sides have. */
template <class Group, class T>
__device__ inline void memcpy_async(const Group &group, T *to, size_t to_count, const T *from,
                                    size_t from_count)
{
    memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}

/** Waits until all copies of the group have been made. */
template <class Group>
__device__ inline void wait(const Group &group, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE())
{
    group.sync(file, line);
}

/** Waits until all but the last `Stages` have been made (here: all). */
template <unsigned Stages, class Group>
__device__ inline void wait_prior(const Group &group, const char *file = __builtin_FILE(),
                                  int line = __builtin_LINE())
{
    group.sync(file, line);
}

} // namespace cooperative_groups

#endif
#endif
