/**
 * @file random_engines.h
 * @brief Thrust's engines beside the linear congruential one: shifts, lags, and combinations.
 */
#ifndef UMSIM_THRUST_RANDOM_ENGINES_H
#define UMSIM_THRUST_RANDOM_ENGINES_H

#include <cstddef>
#include <cstdint>

namespace thrust
{
namespace random
{
/** @cond internal */
namespace detail
{
template <class _Self> class discards_singly
{
  public:
    __host__ __device__ void discard(unsigned long long __n)
    {
        for (; __n > 0; --__n)
            static_cast<_Self &> (*this)();
    }
};
} // namespace detail
/** @endcond */

/** Tausworthe's generator of `_Width` bits, of which `_Kp` count. */
template <class _Tp, std::size_t _Width, std::size_t _Kp, std::size_t _Qp, std::size_t _Sp>
class linear_feedback_shift_engine
    : public detail::discards_singly<linear_feedback_shift_engine<_Tp, _Width, _Kp, _Qp, _Sp>>
{
  public:
    using result_type = _Tp;
    static constexpr std::size_t word_size = _Width, exponent1 = _Kp, exponent2 = _Qp, step_size = _Sp;
    static constexpr _Tp min = 0, max = (_Tp)(~(_Tp)0 >> (sizeof(_Tp) * 8 - _Width)), default_seed = 341;

    __host__ __device__ explicit linear_feedback_shift_engine(_Tp __s = default_seed) : __x_(__s)
    {
    }
    __host__ __device__ void seed(_Tp __s = default_seed)
    {
        __x_ = __s;
    }
    __host__ __device__ _Tp operator()()
    {
        constexpr _Tp __kept = (_Tp)(~(_Tp)0 << (_Width - _Kp)) & max;
        const _Tp __fed = (((__x_ << _Qp) ^ __x_) & max) >> (_Kp - _Sp);
        return __x_ = (_Tp)(((__x_ & __kept) << _Sp) ^ __fed);
    }
    friend bool operator==(const linear_feedback_shift_engine &__a, const linear_feedback_shift_engine &__b)
    {
        return __a.__x_ == __b.__x_;
    }

  private:
    _Tp __x_;
};

/** x(i - short lag) - x(i - long lag) - carry, modulo 2^_Width. */
template <class _Tp, std::size_t _Width, std::size_t _Short, std::size_t _Long>
class subtract_with_carry_engine
    : public detail::discards_singly<subtract_with_carry_engine<_Tp, _Width, _Short, _Long>>
{
  public:
    using result_type = _Tp;
    static constexpr std::size_t word_size = _Width, short_lag = _Short, long_lag = _Long;
    static constexpr _Tp modulus = (_Tp)1 << _Width, min = 0, max = modulus - 1, default_seed = 19780503;

    __host__ __device__ explicit subtract_with_carry_engine(_Tp __s = default_seed)
    {
        seed(__s);
    }
    __host__ __device__ void seed(_Tp __s = default_seed)
    {
        linear_congruential_engine<_Tp, 40014, 0, 2147483563> __first(__s == 0 ? default_seed : __s);
        for (std::size_t __i = 0; __i < _Long; __i++)
            __x_[__i] = __first() % modulus;
        __carry_ = __x_[_Long - 1] == 0;
        __next_ = 0;
    }
    __host__ __device__ _Tp operator()()
    {
        const _Tp __minuend = __x_[(__next_ + _Long - _Short) % _Long],
                  __subtrahend = __x_[__next_] + __carry_;
        __carry_ = __minuend < __subtrahend;
        const _Tp __value = (__minuend - __subtrahend) & max;
        __x_[__next_] = __value;
        __next_ = (__next_ + 1) % _Long;
        return __value;
    }
    friend bool operator==(const subtract_with_carry_engine &__a, const subtract_with_carry_engine &__b)
    {
        for (std::size_t __i = 0; __i < _Long; __i++)
            if (__a.__x_[(__a.__next_ + __i) % _Long] != __b.__x_[(__b.__next_ + __i) % _Long])
                return false;
        return __a.__carry_ == __b.__carry_;
    }

  private:
    _Tp __x_[_Long];
    _Tp __carry_;
    std::size_t __next_;
};

/** Of each `_Block` numbers of another engine the first `_Used`. */
template <class _Engine, std::size_t _Block, std::size_t _Used>
class discard_block_engine : public detail::discards_singly<discard_block_engine<_Engine, _Block, _Used>>
{
  public:
    using base_type = _Engine;
    using result_type = typename _Engine::result_type;
    static constexpr std::size_t block_size = _Block, used_block = _Used;
    static constexpr result_type min = _Engine::min, max = _Engine::max;

    discard_block_engine() = default;
    __host__ __device__ explicit discard_block_engine(const _Engine &__engine) : __engine_(__engine)
    {
    }
    __host__ __device__ explicit discard_block_engine(result_type __s) : __engine_(__s)
    {
    }
    __host__ __device__ void seed()
    {
        __engine_.seed();
        __count_ = 0;
    }
    __host__ __device__ void seed(result_type __s)
    {
        __engine_.seed(__s);
        __count_ = 0;
    }
    __host__ __device__ result_type operator()()
    {
        if (__count_ >= _Used) {
            __engine_.discard(_Block - __count_);
            __count_ = 0;
        }
        __count_++;
        return __engine_();
    }
    const _Engine &base() const
    {
        return __engine_;
    }
    friend bool operator==(const discard_block_engine &__a, const discard_block_engine &__b)
    {
        return __a.__engine_ == __b.__engine_ && __a.__count_ == __b.__count_;
    }

  private:
    _Engine __engine_;
    std::size_t __count_ = 0;
};

/** The numbers of two engines, shifted to the left, and combined by exclusive or. */
template <class _First, std::size_t _Shift1, class _Second, std::size_t _Shift2 = 0>
class xor_combine_engine
    : public detail::discards_singly<xor_combine_engine<_First, _Shift1, _Second, _Shift2>>
{
    template <class _Tp> static constexpr _Tp ones_below(_Tp __x)
    {
        for (std::size_t __i = 1; __i < sizeof(_Tp) * 8; __i *= 2)
            __x |= __x >> __i;
        return __x;
    }

  public:
    using base1_type = _First;
    using base2_type = _Second;
    using result_type =
        std::conditional_t<(sizeof(typename _Second::result_type) > sizeof(typename _First::result_type)),
                           typename _Second::result_type, typename _First::result_type>;
    static constexpr std::size_t shift1 = _Shift1, shift2 = _Shift2;
    static constexpr result_type min = 0;
    static constexpr result_type max =
        ones_below<result_type>(((result_type)(_First::max - _First::min) << _Shift1) |
                                ((result_type)(_Second::max - _Second::min) << _Shift2));

    xor_combine_engine() = default;
    __host__ __device__ xor_combine_engine(const _First &__a, const _Second &__b) : __a_(__a), __b_(__b)
    {
    }
    __host__ __device__ explicit xor_combine_engine(result_type __s) : __a_(__s), __b_(__s)
    {
    }
    __host__ __device__ void seed()
    {
        __a_.seed();
        __b_.seed();
    }
    __host__ __device__ void seed(result_type __s)
    {
        __a_.seed(__s);
        __b_.seed(__s);
    }
    __host__ __device__ result_type operator()()
    {
        return ((result_type)(__a_() - _First::min) << _Shift1) ^
               ((result_type)(__b_() - _Second::min) << _Shift2);
    }
    const _First &base1() const
    {
        return __a_;
    }
    const _Second &base2() const
    {
        return __b_;
    }
    friend bool operator==(const xor_combine_engine &__p, const xor_combine_engine &__q)
    {
        return __p.__a_ == __q.__a_ && __p.__b_ == __q.__b_;
    }

  private:
    _First __a_;
    _Second __b_;
};

using ranlux24_base = subtract_with_carry_engine<std::uint32_t, 24, 10, 24>;
using ranlux48_base = subtract_with_carry_engine<std::uint64_t, 48, 5, 12>;
using ranlux24 = discard_block_engine<ranlux24_base, 223, 23>;
using ranlux48 = discard_block_engine<ranlux48_base, 389, 11>;
/** L'Ecuyer's three combined generators (1996). */
using taus88 =
    xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>, 0,
                       xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>, 0,
                                          linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>, 0>,
                       0>;
} // namespace random

using random::discard_block_engine;
using random::linear_feedback_shift_engine;
using random::ranlux24;
using random::ranlux24_base;
using random::ranlux48;
using random::ranlux48_base;
using random::subtract_with_carry_engine;
using random::taus88;
using random::xor_combine_engine;
} // namespace thrust

#endif
