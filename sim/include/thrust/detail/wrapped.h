/**
 * @file wrapped.h
 * @brief What iterators around another iterator have in common, and elements that a function stands before.
 */
#ifndef UMSIM_THRUST_WRAPPED_H
#define UMSIM_THRUST_WRAPPED_H

#include "facade.h"

namespace thrust
{
namespace detail
{
/* An iterator around `_Ip` that moves as it does. */
template <class _Self, class _Ip, class _Value, class _Reference>
class wrapped : public facade<_Self, _Value, _Reference, memory_space_of<_Ip>()>
{
  public:
    static constexpr bool thrust_goes_along = true;
    wrapped() = default;
    explicit wrapped(_Ip __base) : __base_(__base)
    {
    }
    void move(index __n)
    {
        __base_ += __n;
    }
    index from(const wrapped &__other) const
    {
        return __base_ - __other.__base_;
    }
    const _Ip &base() const
    {
        return __base_;
    }

  protected:
    _Ip __base_;
};

/* What is written to it goes through `_Out`, what is read through `_In`. Without the latter it is only
 * written. */
struct nothing {
};
template <class _Ip, class _In, class _Out> class through
{
  public:
    through(_Ip __place, _In __in, _Out __out) : __place_(__place), __in_(__in), __out_(__out)
    {
    }
    through(const through &) = default;
    template <class _Tp> const through &operator=(const _Tp &__value) const
    {
        *__place_ = __out_(__value);
        return *this;
    }
    const through &operator=(const through &__other) const
    {
        return *this = __other.read();
    }
    const through &operator=(const through &__other)
    {
        return *this = __other.read();
    }
    template <class _Fp = _In, class = std::enable_if_t<!std::is_same_v<_Fp, nothing>>>
    operator std::decay_t<std::invoke_result_t<const _Fp &, value_of<_Ip>>>() const
    {
        return read();
    }

  private:
    auto read() const
    {
        static_assert(!std::is_same_v<_In, nothing>, "Thrust: this iterator is only written to");
        return __in_((value_of<_Ip>)*__place_);
    }
    _Ip __place_;
    _In __in_;
    _Out __out_;
};
} // namespace detail
} // namespace thrust

#endif
