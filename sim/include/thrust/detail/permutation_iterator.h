/**
 * @file thrust/detail/permutation_iterator.h
 * @brief thrust::permutation_iterator: elements in the order that a sequence of indices gives.
 */
#ifndef UMSIM_THRUST_DETAIL_PERMUTATION_ITERATOR_H
#define UMSIM_THRUST_DETAIL_PERMUTATION_ITERATOR_H

#include "facade.h"

namespace thrust
{
/** Its elements are those of `elements` at `map`. */
template <class _Ep, class _Mp>
class permutation_iterator : public detail::facade<permutation_iterator<_Ep, _Mp>, detail::value_of<_Ep>,
                                                   typename std::iterator_traits<_Ep>::reference,
                                                   detail::memory_space_of_all<_Ep, _Mp>()>
{
  public:
    permutation_iterator() = default;
    permutation_iterator(_Ep __elements, _Mp __map) : __elements_(__elements), __map_(__map)
    {
    }
    typename std::iterator_traits<_Ep>::reference at(detail::index __i) const
    {
        return __elements_[(detail::index)__map_[__i]];
    }
    void move(detail::index __n)
    {
        __map_ += __n;
    }
    detail::index from(const permutation_iterator &__other) const
    {
        return __map_ - __other.__map_;
    }
    auto thrust_raw() const
    {
        const auto __elements = detail::raw(__elements_);
        const auto __map = detail::raw(__map_);
        return permutation_iterator<std::decay_t<decltype(__elements)>, std::decay_t<decltype(__map)>>(
            __elements, __map);
    }

  private:
    _Ep __elements_;
    _Mp __map_;
};
template <class _Ep, class _Mp>
permutation_iterator<_Ep, _Mp> make_permutation_iterator(_Ep __elements, _Mp __map)
{
    return permutation_iterator<_Ep, _Mp>(__elements, __map);
}
} // namespace thrust

#endif
