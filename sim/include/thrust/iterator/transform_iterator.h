/**
 * @file transform_iterator.h
 * @brief thrust::transform_iterator: a function's values, computed where they are read.
 */
#ifndef UMSIM_THRUST_TRANSFORM_ITERATOR_H
#define UMSIM_THRUST_TRANSFORM_ITERATOR_H

#include "../detail/facade.h"

namespace thrust
{
namespace detail
{
/* `Asked` is void where the function says what it gives. */
template <class F, class I, class Asked>
using given_by = std::conditional_t<std::is_void_v<Asked>,
                                    decltype(std::declval<const F &>()(std::declval<value_of<I>>())), Asked>;
} // namespace detail

/** Its elements are `f` of another iterator's. */
template <class F, class I, class Reference = void, class Value = void>
class transform_iterator
    : public detail::facade<transform_iterator<F, I, Reference, Value>,
                            std::remove_cv_t<std::remove_reference_t<detail::given_by<F, I, Reference>>>,
                            detail::given_by<F, I, Reference>, detail::room_of<I>()>
{
  public:
    transform_iterator() = default;
    transform_iterator(I base, F f) : base_(base), f_(f)
    {
    }
    explicit transform_iterator(I base) : base_(base)
    {
    }
    decltype(auto) at(detail::index i) const
    {
        return f_(base_[i]);
    }
    void move(detail::index n)
    {
        base_ += n;
    }
    detail::index from(const transform_iterator &other) const
    {
        return base_ - other.base_;
    }
    const I &base() const
    {
        return base_;
    }
    const F &functor() const
    {
        return f_;
    }
    auto thrust_raw() const
    {
        const auto behind = detail::raw(base_);
        return transform_iterator<F, std::decay_t<decltype(behind)>, Reference, Value>(behind, f_);
    }
    transform_iterator(const transform_iterator &) = default;
    /* A lambda cannot be assigned. */
    transform_iterator &operator=(const transform_iterator &other)
    {
        if (this != &other) {
            this->~transform_iterator();
            ::new ((void *)this) transform_iterator(other);
        }
        return *this;
    }

  private:
    I base_;
    F f_;
};
template <class F, class I> transform_iterator<F, I> make_transform_iterator(I base, F f)
{
    return transform_iterator<F, I>(base, f);
}
} // namespace thrust

#endif
