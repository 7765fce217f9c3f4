/**
 * @file random.h
 * @brief Engines and distributions for both sides.
 *
 * minstd_rand and uniform numbers are computed as Thrust computes them; normal numbers differ from a GPU's.
 */
#ifndef UMSIM_THRUST_RANDOM_H
#define UMSIM_THRUST_RANDOM_H

#include "detail/system.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace thrust
{
namespace random
{

/** x -> (a x + c) mod m; m must not be 0. discard() takes the same time for any count. */
template <class _Tp, _Tp __a, _Tp __c, _Tp __m> class linear_congruential_engine
{
  public:
    using result_type = _Tp;
    static constexpr _Tp multiplier = __a, increment = __c, modulus = __m;
    static constexpr _Tp min = __c == 0 ? 1 : 0, max = __m - 1;
    static constexpr _Tp default_seed = 1;

    __host__ __device__ explicit linear_congruential_engine(_Tp __s = default_seed)
    {
        seed(__s);
    }
    __host__ __device__ void seed(_Tp __s = default_seed)
    {
        __x_ = __c % __m == 0 && __s % __m == 0 ? 1 : __s % __m;
    }
    __host__ __device__ _Tp operator()()
    {
        __x_ = (_Tp)(((std::uint64_t)__a * __x_ + __c) % __m);
        return __x_;
    }
    __host__ __device__ void discard(unsigned long long __n)
    {
        /* n steps are again of the form x -> a' x + c': the step is squared for each bit of n */
        std::uint64_t __factor = __a, __summand = __c;
        for (; __n > 0; __n >>= 1) {
            if (__n & 1)
                __x_ = (_Tp)((__factor * __x_ + __summand) % __m);
            __summand = (__factor * __summand + __summand) % __m;
            __factor = __factor * __factor % __m;
        }
    }
    friend bool operator==(const linear_congruential_engine &__p, const linear_congruential_engine &__q)
    {
        return __p.__x_ == __q.__x_;
    }

  private:
    _Tp __x_;
};
using minstd_rand0 = linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;

/** @cond internal What distributions between two numbers have. */
namespace detail
{
template <class _Tp> class distribution_between
{
  public:
    using result_type = _Tp;
    __host__ __device__ distribution_between(_Tp __a, _Tp __b) : __a_(__a), __b_(__b)
    {
    }
    __host__ __device__ void reset()
    {
    }
    __host__ __device__ _Tp a() const
    {
        return __a_;
    }
    __host__ __device__ _Tp b() const
    {
        return __b_;
    }

  protected:
    _Tp __a_, __b_;
};
} // namespace detail
/** @endcond */

/** From `a` to `b`, excluding `b`. */
template <class _Tp = double> class uniform_real_distribution : public detail::distribution_between<_Tp>
{
  public:
    __host__ __device__ explicit uniform_real_distribution(_Tp __a = 0, _Tp __b = 1)
        : detail::distribution_between<_Tp>(__a, __b)
    {
    }
    template <class _Engine> __host__ __device__ _Tp operator()(_Engine &__engine) const
    {
        const _Tp __part = (_Tp)(__engine() - _Engine::min) / ((_Tp)1 + (_Tp)(_Engine::max - _Engine::min));
        return __part * (this->__b_ - this->__a_) + this->__a_;
    }
};

/** From `a` to `b`, including both. */
template <class _Tp = int> class uniform_int_distribution : public detail::distribution_between<_Tp>
{
  public:
    __host__ __device__ explicit uniform_int_distribution(_Tp __a = 0,
                                                          _Tp __b = std::numeric_limits<_Tp>::max())
        : detail::distribution_between<_Tp>(__a, __b)
    {
    }
    template <class _Engine> __host__ __device__ _Tp operator()(_Engine &__engine) const
    {
        const double __x =
            uniform_real_distribution<double>((double)this->__a_, (double)this->__b_ + 1)(__engine);
        return (_Tp)std::floor(__x);
    }
};

/** With the given mean and standard deviation, by Box and Muller's method. */
template <class _Tp = double> class normal_distribution
{
  public:
    using result_type = _Tp;
    __host__ __device__ explicit normal_distribution(_Tp __mean = 0, _Tp __stddev = 1)
        : __mean_(__mean), __stddev_(__stddev)
    {
    }
    template <class _Engine> __host__ __device__ _Tp operator()(_Engine &__engine) const
    {
        uniform_real_distribution<double> __uniform;
        const double __distance = std::sqrt(-2 * std::log(1 - __uniform(__engine)));
        return __mean_ + __stddev_ * (_Tp)(__distance * std::cos(6.283185307179586477 * __uniform(__engine)));
    }
    __host__ __device__ void reset()
    {
    }
    __host__ __device__ _Tp mean() const
    {
        return __mean_;
    }
    __host__ __device__ _Tp stddev() const
    {
        return __stddev_;
    }

  private:
    _Tp __mean_, __stddev_;
};
} // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
} // namespace thrust

#include "detail/random_engines.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/device_ptr.h"
#include "detail/pair.h"
#include "tuple.h"

#include "detail/brought_lightly.h"

#endif
