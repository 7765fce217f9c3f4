/**
 * @file thrust/detail/transform_iterator.h
 * @brief thrust::transform_iterator: a function's values, computed when they are read.
 */
#ifndef UMSIM_THRUST_DETAIL_TRANSFORM_ITERATOR_H
#define UMSIM_THRUST_DETAIL_TRANSFORM_ITERATOR_H

#include "facade.h"

namespace thrust
{
namespace detail
{
/* `_Asked` is void if the function's own result type is used. */
template <class _Fp, class _Ip, class _Asked>
using given_by =
    std::conditional_t<std::is_void_v<_Asked>,
                       decltype(std::declval<const _Fp &>()(std::declval<value_of<_Ip>>())), _Asked>;
} // namespace detail

/** Its elements are `f` of another iterator's. */
template <class _Fp, class _Ip, class _Reference = void, class _Value = void>
class transform_iterator
    : public detail::facade<transform_iterator<_Fp, _Ip, _Reference, _Value>,
                            std::remove_cv_t<std::remove_reference_t<detail::given_by<_Fp, _Ip, _Reference>>>,
                            detail::given_by<_Fp, _Ip, _Reference>, detail::memory_space_of<_Ip>()>
{
  public:
    static constexpr bool thrust_goes_along = true;
    transform_iterator() = default;
    transform_iterator(_Ip __base, _Fp __f) : __base_(__base), __f_(__f)
    {
    }
    explicit transform_iterator(_Ip __base) : __base_(__base)
    {
    }
    decltype(auto) at(detail::index __i) const
    {
        return __f_(__base_[__i]);
    }
    void move(detail::index __n)
    {
        __base_ += __n;
    }
    detail::index from(const transform_iterator &__other) const
    {
        return __base_ - __other.__base_;
    }
    const _Ip &base() const
    {
        return __base_;
    }
    const _Fp &functor() const
    {
        return __f_;
    }
    auto thrust_raw() const
    {
        const auto __behind = detail::raw(__base_);
        return transform_iterator<_Fp, std::decay_t<decltype(__behind)>, _Reference, _Value>(__behind, __f_);
    }
    transform_iterator(const transform_iterator &) = default;
    /* A lambda cannot be assigned. */
    transform_iterator &operator=(const transform_iterator &__other)
    {
        if (this != &__other) {
            this->~transform_iterator();
            ::new ((void *)this) transform_iterator(__other);
        }
        return *this;
    }

  private:
    _Ip __base_;
    _Fp __f_;
};
template <class _Fp, class _Ip> transform_iterator<_Fp, _Ip> make_transform_iterator(_Ip __base, _Fp __f)
{
    return transform_iterator<_Fp, _Ip>(__base, __f);
}
} // namespace thrust

#endif
