/**
 * @file channel_descriptor.h
 * @brief cudaCreateChannelDesc<T>() and related functions: they describe an array's elements by their C++
 * type.
 *
 * Included by cuda_runtime.h.
 */
#ifndef UMSIM_CHANNEL_DESCRIPTOR_H
#define UMSIM_CHANNEL_DESCRIPTOR_H

#include "device_types.h"
#include "cuda_runtime_api.h"

#ifdef __cplusplus

/** @cond internal */
namespace umsim
{
/* `__channels` of type C. */
template <class _Cp, cudaChannelFormatKind __kind> inline cudaChannelFormatDesc channels_of(int __channels)
{
    const int __bits = (int)sizeof(_Cp) * 8;
    return ::cudaCreateChannelDesc(__bits, __channels > 1 ? __bits : 0, __channels > 2 ? __bits : 0,
                                   __channels > 3 ? __bits : 0, __kind);
}
} // namespace umsim
/** @endcond */

/** The element that is a T: char to int, signed or unsigned, and float, and their vectors of 1, 2 and 4; of
 * any other type one of kind None, that no array can be made of. */
template <class _Tp> inline cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

/** @cond internal */
#define UMSIM_CHANNELS(T, C, kind, channels)                                                                 \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>(void)                                  \
    {                                                                                                        \
        return umsim::channels_of<C, cudaChannelFormatKind##kind>(channels);                                 \
    }
#define UMSIM_CHANNELS_OF(C, name, kind)                                                                     \
    UMSIM_CHANNELS(C, C, kind, 1)                                                                            \
    UMSIM_CHANNELS(name##1, C, kind, 1)                                                                      \
    UMSIM_CHANNELS(name##2, C, kind, 2)                                                                      \
    UMSIM_CHANNELS(name##4, C, kind, 4)
#ifdef __CHAR_UNSIGNED__ /* arm64 */
UMSIM_CHANNELS(char, char, Unsigned, 1)
#else
UMSIM_CHANNELS(char, char, Signed, 1)
#endif
UMSIM_CHANNELS_OF(signed char, char, Signed)
UMSIM_CHANNELS_OF(unsigned char, uchar, Unsigned)
UMSIM_CHANNELS_OF(short, short, Signed)
UMSIM_CHANNELS_OF(unsigned short, ushort, Unsigned)
UMSIM_CHANNELS_OF(int, int, Signed)
UMSIM_CHANNELS_OF(unsigned int, uint, Unsigned)
UMSIM_CHANNELS_OF(float, float, Float)
#undef UMSIM_CHANNELS
#undef UMSIM_CHANNELS_OF
/** @endcond */

/** @name Elements of 16-bit floating point
 * @{ */
/** One channel. */
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf(void)
{
    return umsim::channels_of<unsigned short, cudaChannelFormatKindFloat>(1);
}
/** One channel. */
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1(void)
{
    return umsim::channels_of<unsigned short, cudaChannelFormatKindFloat>(1);
}
/** Two channels. */
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2(void)
{
    return umsim::channels_of<unsigned short, cudaChannelFormatKindFloat>(2);
}
/** Four channels. */
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4(void)
{
    return umsim::channels_of<unsigned short, cudaChannelFormatKindFloat>(4);
}
/** @} */

#endif
#endif
