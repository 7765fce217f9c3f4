/**
 * @file cmath.h
 * @brief <cuda/cmath>: integers divided and rounded upwards.
 */
#ifndef UMSIM_CUDA_CMATH_H
#define UMSIM_CUDA_CMATH_H

#include <type_traits>

namespace cuda
{

/** How many parts of `size` cover `value`: blocks for so many threads. */
template <class T, class U> constexpr ::std::common_type_t<T, U> ceil_div(T value, U size)
{
    typedef ::std::common_type_t<T, U> result;
    return (result)((result)value / (result)size + ((result)value % (result)size != 0));
}
/** The next multiple of `size`. */
template <class T, class U> constexpr ::std::common_type_t<T, U> round_up(T value, U size)
{
    return ceil_div(value, size) * size;
}
/** The multiple of `size` before. */
template <class T, class U> constexpr ::std::common_type_t<T, U> round_down(T value, U size)
{
    return value / size * size;
}

} // namespace cuda

#endif
