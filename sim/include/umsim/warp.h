/**
 * @file umsim/warp.h
 * @brief What the lanes of a warp do together: shuffles, votes, matches, reductions. Included by
 * umsim/device.h.
 *
 * A warp is 32 threads that follow each other in their block, x counted fastest; lanes are counted within it.
 * Every operation waits until all lanes of its mask that have not ended have called the same one with the
 * same mask, as GPUs since Volta do. What CUDA calls undefined fails the launch with a message where a GPU
 * could hang: a mask that does not name the caller, lanes that call different operations, lanes that wait for
 * one that waits elsewhere. A shuffle from a lane that takes no part gives 0 here.
 *
 * The last two arguments say where the call stands; they are nobody's to give.
 */
#ifndef UMSIM_WARP_H
#define UMSIM_WARP_H

#include <string.h>
#include "umsim/abi.h"

/** @cond internal */
namespace umsim
{

constexpr unsigned full_mask = 0xffffffffu;

/* What PTX's special registers say (umcc/ptx.c), also in kernels without fibers. */
namespace special
{
inline unsigned threads()
{
    const dim3 &block = umsim_builtins.block_dim;
    return block.x * block.y * block.z;
}
inline unsigned thread()
{
    const dim3 &block = umsim_builtins.block_dim;
    const uint3 &index = umsim_builtins.thread_index;
    return (index.z * block.y + index.y) * block.x + index.x;
}
inline unsigned lane()
{
    return thread() % 32;
}
} // namespace special

/* A value of up to 8 bytes as the lanes compare it. */
template <class T> inline uint64_t to_lanes(const T &value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

/* Where a shuffle's value comes from. A warp is cut into segments of `width` lanes, a power of two; a lane of
 * which there is none leaves the caller's own. Shifts count modulo 32, and an XOR may reach into earlier
 * segments. */
inline unsigned source_of(umsim_warp_operation operation, unsigned lane, unsigned by, unsigned width)
{
    const unsigned first = lane & (0u - width), last = first | (width - 1);
    switch (operation) {
    case UMSIM_SHFL:
        return first | (by & (width - 1));
    case UMSIM_SHFL_UP:
        by &= 31;
        return lane < first + by ? lane : lane - by;
    case UMSIM_SHFL_DOWN:
        by &= 31;
        return lane + by > last ? lane : lane + by;
    default:
        by = lane ^ (by & 31);
        return by > last ? lane : by;
    }
}

/* The value of lane `source`, of any size: 8 bytes at a time. */
template <class T>
inline T from_lane(umsim_warp_operation operation, unsigned mask, const T &value, unsigned source,
                   const char *file, int line)
{
    alignas(T) char result[sizeof(T)];
    for (size_t at = 0; at < sizeof(T); at += 8) {
        const size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
        uint64_t bits = 0;
        memcpy(&bits, (const char *)&value + at, bytes);
        bits = umsim_warp(operation, mask, bits, source, file, line);
        memcpy(result + at, &bits, bytes);
    }
    return *reinterpret_cast<T *>(result);
}

template <class T>
inline T shuffle(umsim_warp_operation operation, unsigned mask, const T &value, unsigned by, int width,
                 const char *file, int line)
{
    return from_lane(operation, mask, value, source_of(operation, umsim_lane(), by, (unsigned)width), file,
                     line);
}

} // namespace umsim

#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define UMSIM_WARP_TYPES(each)                                                                               \
    each(int) each(unsigned) each(long) each(unsigned long) each(long long) each(unsigned long long)         \
        each(float) each(double)

#define UMSIM_SHUFFLES(T)                                                                                    \
    inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, UMSIM_PLACE)                    \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL, mask, value, (unsigned)source, width, file, line);                 \
    }                                                                                                        \
    inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, UMSIM_PLACE)             \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL_UP, mask, value, delta, width, file, line);                         \
    }                                                                                                        \
    inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, UMSIM_PLACE)           \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL_DOWN, mask, value, delta, width, file, line);                       \
    }                                                                                                        \
    inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, UMSIM_PLACE)             \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL_XOR, mask, value, (unsigned)lane_mask, width, file, line);          \
    }
#define UMSIM_MATCHES(T)                                                                                     \
    inline unsigned __match_any_sync(unsigned mask, T value, UMSIM_PLACE)                                    \
    {                                                                                                        \
        return (unsigned)umsim_warp(UMSIM_MATCH_ANY, mask, umsim::to_lanes(value), 0, file, line);           \
    }                                                                                                        \
    inline unsigned __match_all_sync(unsigned mask, T value, int *all, UMSIM_PLACE)                          \
    {                                                                                                        \
        const unsigned same =                                                                                \
            (unsigned)umsim_warp(UMSIM_MATCH_ALL, mask, umsim::to_lanes(value), 0, file, line);              \
        *all = same != 0;                                                                                    \
        return same;                                                                                         \
    }
#define UMSIM_REDUCTION(name, T, operation)                                                                  \
    inline T name(unsigned mask, T value, UMSIM_PLACE)                                                       \
    {                                                                                                        \
        return (T)umsim_warp(operation, mask, (unsigned)value, 0, file, line);                               \
    }
/** @endcond */

/** @name Shuffles
 * `T __shfl_sync(mask, T value, source lane, width)`, `__shfl_up_sync(mask, value, delta, width)`,
 * `__shfl_down_sync`, `__shfl_xor_sync(mask, value, lane mask, width)`: another lane's value. Of int,
 * unsigned, 64-bit integers, float and double. @{ */
UMSIM_WARP_TYPES(UMSIM_SHUFFLES)
/** @} */

/** @name Matches
 * `__match_any_sync(mask, value)`: which lanes have this lane's value. `__match_all_sync(mask, value, &all)`:
 * all lanes where they have one value, else 0. @{ */
UMSIM_WARP_TYPES(UMSIM_MATCHES)
/** @} */

/** @name Reductions
 * Of the lanes' values, the same for every lane. @{ */
UMSIM_REDUCTION(__reduce_add_sync, unsigned, UMSIM_REDUCE_ADD)
UMSIM_REDUCTION(__reduce_add_sync, int, UMSIM_REDUCE_ADD)
UMSIM_REDUCTION(__reduce_min_sync, unsigned, UMSIM_REDUCE_MIN)
UMSIM_REDUCTION(__reduce_min_sync, int, UMSIM_REDUCE_MIN_SIGNED)
UMSIM_REDUCTION(__reduce_max_sync, unsigned, UMSIM_REDUCE_MAX)
UMSIM_REDUCTION(__reduce_max_sync, int, UMSIM_REDUCE_MAX_SIGNED)
UMSIM_REDUCTION(__reduce_and_sync, unsigned, UMSIM_REDUCE_AND)
UMSIM_REDUCTION(__reduce_or_sync, unsigned, UMSIM_REDUCE_OR)
UMSIM_REDUCTION(__reduce_xor_sync, unsigned, UMSIM_REDUCE_XOR)
/** @} */

/** @name Votes and the rest
 * @{ */
/** Whether the predicate holds for all lanes of the mask. */
inline int __all_sync(unsigned mask, int predicate, UMSIM_PLACE)
{
    return (int)umsim_warp(UMSIM_ALL, mask, predicate != 0, 0, file, line);
}
/** Whether it holds for any of them. */
inline int __any_sync(unsigned mask, int predicate, UMSIM_PLACE)
{
    return (int)umsim_warp(UMSIM_ANY, mask, predicate != 0, 0, file, line);
}
/** The lanes of the mask for which it holds. */
inline unsigned __ballot_sync(unsigned mask, int predicate, UMSIM_PLACE)
{
    return (unsigned)umsim_warp(UMSIM_BALLOT, mask, predicate != 0, 0, file, line);
}
/** Waits for the lanes of the mask. */
inline void __syncwarp(unsigned mask = umsim::full_mask, UMSIM_PLACE)
{
    umsim_warp(UMSIM_SYNCWARP, mask, 0, 0, file, line);
}
/** The lanes that execute this very call. Which these are is the scheduler's choice; here it is as many as
 * can be. */
inline __attribute__((always_inline)) unsigned __activemask()
{
    return umsim_activemask();
}
/** Position of the `offset`-th set bit of `mask`, counted from bit `base`: upwards, or downwards where
 * negative; of offset 0, `base` itself. @return 0xffffffff where there is none */
inline unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    for (int at = (int)base, left = offset < 0 ? -offset : offset; at >= 0 && at < 32;
         at += offset < 0 ? -1 : 1)
        if (mask >> at & 1 && --left == 0)
            return (unsigned)at;
    return 0xffffffffu;
}
/** @} */

#undef UMSIM_PLACE
#undef UMSIM_WARP_TYPES
#undef UMSIM_SHUFFLES
#undef UMSIM_MATCHES
#undef UMSIM_REDUCTION

#endif
