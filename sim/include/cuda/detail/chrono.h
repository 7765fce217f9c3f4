/**
 * @file chrono.h
 * @brief <cuda/std/chrono>: durations are the C++ library's; clocks read the GPU's timer in a kernel, and
 * the host's elsewhere.
 */
#ifndef UMSIM_CUDA_CHRONO_H
#define UMSIM_CUDA_CHRONO_H

#include <chrono>

#include "scope.h"

namespace cuda
{
namespace std
{
namespace chrono
{
using ::std::chrono::abs;
using ::std::chrono::ceil;
using ::std::chrono::duration;
using ::std::chrono::duration_cast;
using ::std::chrono::duration_values;
using ::std::chrono::floor;
using ::std::chrono::hours;
using ::std::chrono::microseconds;
using ::std::chrono::milliseconds;
using ::std::chrono::minutes;
using ::std::chrono::nanoseconds;
using ::std::chrono::round;
using ::std::chrono::seconds;
using ::std::chrono::time_point;
using ::std::chrono::time_point_cast;
using ::std::chrono::treat_as_floating_point;

/** Nanoseconds; in a kernel, those of the thread's own clock (clock64()). */
struct system_clock {
    typedef ::std::chrono::nanoseconds duration;
    typedef duration::rep rep;
    typedef duration::period period;
    typedef ::std::chrono::time_point<system_clock> time_point;
    static constexpr bool is_steady = false;
    static time_point now() noexcept
    {
        if (umsim_in_kernel())
            return time_point(duration((long long)umsim_clock_ns()));
        return time_point(::std::chrono::system_clock::now().time_since_epoch());
    }
};
typedef system_clock high_resolution_clock;
typedef system_clock steady_clock;
} // namespace chrono

inline namespace literals
{
inline namespace chrono_literals
{
using namespace ::std::literals::chrono_literals;
}
} // namespace literals
} // namespace std
} // namespace cuda

#endif
