/**
 * @file random.h
 * @brief Engines and distributions for both sides. minstd_rand and uniform numbers are made as Thrust makes
 * them; normal numbers are not a GPU's.
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

/** x -> (a x + c) mod m; m must not be 0. discard() is as fast for any count. */
template <class T, T a, T c, T m> class linear_congruential_engine
{
  public:
    using result_type = T;
    static constexpr T multiplier = a, increment = c, modulus = m;
    static constexpr T min = c == 0 ? 1 : 0, max = m - 1;
    static constexpr T default_seed = 1;

    __host__ __device__ explicit linear_congruential_engine(T s = default_seed)
    {
        seed(s);
    }
    __host__ __device__ void seed(T s = default_seed)
    {
        x_ = c % m == 0 && s % m == 0 ? 1 : s % m;
    }
    __host__ __device__ T operator()()
    {
        x_ = (T)(((std::uint64_t)a * x_ + c) % m);
        return x_;
    }
    __host__ __device__ void discard(unsigned long long n)
    {
        /* n steps are again x -> a' x + c': squares of one step, for each bit of n */
        std::uint64_t factor = a, summand = c;
        for (; n > 0; n >>= 1) {
            if (n & 1)
                x_ = (T)((factor * x_ + summand) % m);
            summand = (factor * summand + summand) % m;
            factor = factor * factor % m;
        }
    }
    friend bool operator==(const linear_congruential_engine &p, const linear_congruential_engine &q)
    {
        return p.x_ == q.x_;
    }

  private:
    T x_;
};
using minstd_rand0 = linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;

/** @cond internal What distributions between two numbers have. */
namespace detail
{
template <class T> class distribution_between
{
  public:
    using result_type = T;
    __host__ __device__ distribution_between(T a, T b) : a_(a), b_(b)
    {
    }
    __host__ __device__ void reset()
    {
    }
    __host__ __device__ T a() const
    {
        return a_;
    }
    __host__ __device__ T b() const
    {
        return b_;
    }

  protected:
    T a_, b_;
};
} // namespace detail
/** @endcond */

/** From `a` to `b`, without `b`. */
template <class T = double> class uniform_real_distribution : public detail::distribution_between<T>
{
  public:
    __host__ __device__ explicit uniform_real_distribution(T a = 0, T b = 1)
        : detail::distribution_between<T>(a, b)
    {
    }
    template <class Engine> __host__ __device__ T operator()(Engine &engine) const
    {
        const T part = (T)(engine() - Engine::min) / ((T)1 + (T)(Engine::max - Engine::min));
        return part * (this->b_ - this->a_) + this->a_;
    }
};

/** From `a` to `b`, both included. */
template <class T = int> class uniform_int_distribution : public detail::distribution_between<T>
{
  public:
    __host__ __device__ explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max())
        : detail::distribution_between<T>(a, b)
    {
    }
    template <class Engine> __host__ __device__ T operator()(Engine &engine) const
    {
        const double x = uniform_real_distribution<double>((double)this->a_, (double)this->b_ + 1)(engine);
        return (T)std::floor(x);
    }
};

/** Of that mean and standard deviation, by Box and Muller's method. */
template <class T = double> class normal_distribution
{
  public:
    using result_type = T;
    __host__ __device__ explicit normal_distribution(T mean = 0, T stddev = 1) : mean_(mean), stddev_(stddev)
    {
    }
    template <class Engine> __host__ __device__ T operator()(Engine &engine) const
    {
        uniform_real_distribution<double> uniform;
        const double distance = std::sqrt(-2 * std::log(1 - uniform(engine)));
        return mean_ + stddev_ * (T)(distance * std::cos(6.283185307179586477 * uniform(engine)));
    }
    __host__ __device__ void reset()
    {
    }
    __host__ __device__ T mean() const
    {
        return mean_;
    }
    __host__ __device__ T stddev() const
    {
        return stddev_;
    }

  private:
    T mean_, stddev_;
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

#endif
