/**
 * @file permutation_iterator.h
 * @brief thrust::permutation_iterator: elements in the order that indices say.
 */
#ifndef UMSIM_THRUST_PERMUTATION_ITERATOR_H
#define UMSIM_THRUST_PERMUTATION_ITERATOR_H

#include "../detail/facade.h"

namespace thrust
{
/** Its elements are those of `elements` at `map`. */
template <class E, class M>
class permutation_iterator
    : public detail::facade<permutation_iterator<E, M>, detail::value_of<E>,
                            typename std::iterator_traits<E>::reference, detail::room_of_all<E, M>()>
{
  public:
    permutation_iterator() = default;
    permutation_iterator(E elements, M map) : elements_(elements), map_(map)
    {
    }
    typename std::iterator_traits<E>::reference at(detail::index i) const
    {
        return elements_[(detail::index)map_[i]];
    }
    void move(detail::index n)
    {
        map_ += n;
    }
    detail::index from(const permutation_iterator &other) const
    {
        return map_ - other.map_;
    }
    auto thrust_raw() const
    {
        const auto elements = detail::raw(elements_);
        const auto map = detail::raw(map_);
        return permutation_iterator<std::decay_t<decltype(elements)>, std::decay_t<decltype(map)>>(elements,
                                                                                                   map);
    }

  private:
    E elements_;
    M map_;
};
template <class E, class M> permutation_iterator<E, M> make_permutation_iterator(E elements, M map)
{
    return permutation_iterator<E, M>(elements, map);
}
} // namespace thrust

#endif
