/**
 * @file umsim/warp.h
 * @brief What the lanes of a warp do together: shuffles, votes, matches, reductions. Included by
 * umsim/device.h.
 *
 * A warp is 32 consecutive threads of a block, x counted fastest; lanes are counted within it. Every
 * operation waits until all lanes of its mask that have not ended have called the same one with the same
 * mask, as on GPUs since Volta. What CUDA calls undefined fails the launch with a message, where a GPU
 * could hang: a mask that does not name the caller, lanes that call different operations, lanes that wait
 * for one that waits elsewhere. A shuffle from a lane that takes no part gives 0 here.
 *
 * The last two arguments are the position of the call in the source; callers never pass them.
 */
#ifndef UMSIM_WARP_H
#define UMSIM_WARP_H

#include <string.h>
#include "umsim/abi.h"

/** @cond internal */
namespace umsim
{

constexpr unsigned full_mask = 0xffffffffu;

/* The values of PTX's special registers (umcc/ptx.c), also in kernels without fibers. */
namespace special
{
inline unsigned threads()
{
    const dim3 &__block = umsim_builtins.block_dim;
    return __block.x * __block.y * __block.z;
}
inline unsigned thread()
{
    const dim3 &__block = umsim_builtins.block_dim;
    const uint3 &__index = umsim_builtins.thread_index;
    return (__index.z * __block.y + __index.y) * __block.x + __index.x;
}
inline unsigned lane()
{
    return thread() % 32;
}
} // namespace special

/* A value of up to 8 bytes, in the form in which lanes compare it. */
template <class _Tp> inline uint64_t to_lanes(const _Tp &__value)
{
    uint64_t __bits = 0;
    memcpy(&__bits, &__value, sizeof __value);
    return __bits;
}

/* The lane whose value a shuffle reads. A warp is divided into segments of `__width` lanes, a power of two.
 * If the lane does not exist, the caller gets its own value. Shifts count modulo 32, and an XOR may reach
 * into earlier segments. */
inline unsigned source_of(umsim_warp_operation __operation, unsigned __lane, unsigned __by, unsigned __width)
{
    const unsigned __first = __lane & (0u - __width), __last = __first | (__width - 1);
    switch (__operation) {
    case UMSIM_SHFL:
        return __first | (__by & (__width - 1));
    case UMSIM_SHFL_UP:
        __by &= 31;
        return __lane < __first + __by ? __lane : __lane - __by;
    case UMSIM_SHFL_DOWN:
        __by &= 31;
        return __lane + __by > __last ? __lane : __lane + __by;
    default:
        __by = __lane ^ (__by & 31);
        return __by > __last ? __lane : __by;
    }
}

/* The value of lane `__source`, of any size: 8 bytes at a time. */
template <class _Tp>
__attribute__((__noinline__)) _Tp from_lane(umsim_warp_operation __operation, unsigned __mask,
                                            const _Tp &__value, unsigned __source, const char *__file,
                                            int __line)
{
    alignas(_Tp) char __result[sizeof(_Tp)];
    for (size_t __at = 0; __at < sizeof(_Tp); __at += 8) {
        const size_t __bytes = sizeof(_Tp) - __at < 8 ? sizeof(_Tp) - __at : 8;
        uint64_t __bits = 0;
        memcpy(&__bits, (const char *)&__value + __at, __bytes);
        __bits = umsim_warp(__operation, __mask, __bits, __source, __file, __line);
        memcpy(__result + __at, &__bits, __bytes);
    }
    return *reinterpret_cast<_Tp *>(__result);
}

template <class _Tp>
__attribute__((__noinline__)) _Tp shuffle(umsim_warp_operation __operation, unsigned __mask,
                                          const _Tp &__value, unsigned __by, int __width, const char *__file,
                                          int __line)
{
    return from_lane(__operation, __mask, __value,
                     source_of(__operation, umsim_lane(), __by, (unsigned)__width), __file, __line);
}

} // namespace umsim

#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
#define UMSIM_WARP_TYPES(each)                                                                               \
    each(int) each(unsigned) each(long) each(unsigned long) each(long long) each(unsigned long long)         \
        each(float) each(double)

#define UMSIM_SHUFFLES(T)                                                                                    \
    inline T __shfl_sync(unsigned __mask, T __value, int __source, int __width = 32, UMSIM_PLACE)            \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL, __mask, __value, (unsigned)__source, __width, __file, __line);     \
    }                                                                                                        \
    inline T __shfl_up_sync(unsigned __mask, T __value, unsigned __delta, int __width = 32, UMSIM_PLACE)     \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL_UP, __mask, __value, __delta, __width, __file, __line);             \
    }                                                                                                        \
    inline T __shfl_down_sync(unsigned __mask, T __value, unsigned __delta, int __width = 32, UMSIM_PLACE)   \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL_DOWN, __mask, __value, __delta, __width, __file, __line);           \
    }                                                                                                        \
    inline T __shfl_xor_sync(unsigned __mask, T __value, int __lane_mask, int __width = 32, UMSIM_PLACE)     \
    {                                                                                                        \
        return umsim::shuffle(UMSIM_SHFL_XOR, __mask, __value, (unsigned)__lane_mask, __width, __file,       \
                              __line);                                                                       \
    }
#define UMSIM_MATCHES(T)                                                                                     \
    inline unsigned __match_any_sync(unsigned __mask, T __value, UMSIM_PLACE)                                \
    {                                                                                                        \
        return (unsigned)umsim_warp(UMSIM_MATCH_ANY, __mask, umsim::to_lanes(__value), 0, __file, __line);   \
    }                                                                                                        \
    inline unsigned __match_all_sync(unsigned __mask, T __value, int *__all, UMSIM_PLACE)                    \
    {                                                                                                        \
        const unsigned __same =                                                                              \
            (unsigned)umsim_warp(UMSIM_MATCH_ALL, __mask, umsim::to_lanes(__value), 0, __file, __line);      \
        *__all = __same != 0;                                                                                \
        return __same;                                                                                       \
    }
#define UMSIM_REDUCTION(name, T, operation)                                                                  \
    inline T name(unsigned __mask, T __value, UMSIM_PLACE)                                                   \
    {                                                                                                        \
        return (T)umsim_warp(operation, __mask, (unsigned)__value, 0, __file, __line);                       \
    }
/** @endcond */

/**
 * @name Shuffles
 * `T __shfl_sync(mask, T value, source lane, width)`, `__shfl_up_sync(mask, value, delta, width)`,
 * `__shfl_down_sync`,
 * `__shfl_xor_sync(mask, value, lane mask, width)`: another lane's value. For int, unsigned, 64-bit integers,
 * float and double.
 * @{
 */
UMSIM_WARP_TYPES(UMSIM_SHUFFLES)
/** @} */

/**
 * @name Matches
 * `__match_any_sync(mask, value)`: the lanes that have this lane's value. `__match_all_sync(mask, value,
 * &all)`: all lanes if they have the same value, otherwise 0.
 * @{
 */
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
inline int __all_sync(unsigned __mask, int __predicate, UMSIM_PLACE)
{
    return (int)umsim_warp(UMSIM_ALL, __mask, __predicate != 0, 0, __file, __line);
}
/** Whether it holds for any of them. */
inline int __any_sync(unsigned __mask, int __predicate, UMSIM_PLACE)
{
    return (int)umsim_warp(UMSIM_ANY, __mask, __predicate != 0, 0, __file, __line);
}
/** The lanes of the mask for which it holds. */
inline unsigned __ballot_sync(unsigned __mask, int __predicate, UMSIM_PLACE)
{
    return (unsigned)umsim_warp(UMSIM_BALLOT, __mask, __predicate != 0, 0, __file, __line);
}
/** Waits for the lanes of the mask. */
inline void __syncwarp(unsigned __mask = umsim::full_mask, UMSIM_PLACE)
{
    umsim_warp(UMSIM_SYNCWARP, __mask, 0, 0, __file, __line);
}
/** The lanes that execute this very call. On a GPU the scheduler decides which these are; here it is as many
 * as possible. */
inline __attribute__((__always_inline__)) unsigned __activemask()
{
    return umsim_activemask();
}
/** Position of the `__offset`-th set bit of `__mask`, counted from bit `__base`: upwards, or downwards if the
 * offset is negative; for offset 0, `__base` itself. @return 0xffffffff if there is none */
inline unsigned __fns(unsigned __mask, unsigned __base, int __offset)
{
    if (__offset == 0)
        return __mask >> (__base & 31) & 1 ? __base : 0xffffffffu;
    for (int __at = (int)__base, __left = __offset < 0 ? -__offset : __offset; __at >= 0 && __at < 32;
         __at += __offset < 0 ? -1 : 1)
        if (__mask >> __at & 1 && --__left == 0)
            return (unsigned)__at;
    return 0xffffffffu;
}
/** @} */

#undef UMSIM_PLACE
#undef UMSIM_WARP_TYPES
#undef UMSIM_SHUFFLES
#undef UMSIM_MATCHES
#undef UMSIM_REDUCTION

#endif
