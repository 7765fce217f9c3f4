/**
 * @file zip_iterator.h
 * @brief thrust::zip_iterator: tuples of several iterators' elements.
 */
#ifndef UMSIM_THRUST_ZIP_ITERATOR_H
#define UMSIM_THRUST_ZIP_ITERATOR_H

#include "../detail/facade.h"
#include "../tuple.h"

namespace thrust
{
template <class Tuple> class zip_iterator;

/** Its elements are tuples of references. */
template <class... I>
class zip_iterator<std::tuple<I...>>
    : public detail::facade<zip_iterator<std::tuple<I...>>, std::tuple<detail::value_of<I>...>,
                            std::tuple<typename std::iterator_traits<I>::reference...>,
                            detail::room_of_all<I...>()>
{
  public:
    using tuple_of_references = std::tuple<typename std::iterator_traits<I>::reference...>;

    zip_iterator() = default;
    zip_iterator(std::tuple<I...> iterators) : iterators_(iterators)
    {
    }
    tuple_of_references at(detail::index i) const
    {
        return std::apply([=](const I &...each) { return tuple_of_references(each[i]...); }, iterators_);
    }
    void move(detail::index n)
    {
        std::apply([=](I &...each) { ((each += n), ...); }, iterators_);
    }
    detail::index from(const zip_iterator &other) const
    {
        return std::get<0>(iterators_) - std::get<0>(other.iterators_);
    }
    const std::tuple<I...> &get_iterator_tuple() const
    {
        return iterators_;
    }
    auto thrust_raw() const
    {
        return std::apply(
            [](const I &...each) {
                using raw_tuple = std::tuple<decltype(detail::raw(each))...>;
                return zip_iterator<raw_tuple>(raw_tuple(detail::raw(each)...));
            },
            iterators_);
    }

  private:
    std::tuple<I...> iterators_;
};
template <class... I> zip_iterator<std::tuple<I...>> make_zip_iterator(const std::tuple<I...> &iterators)
{
    return zip_iterator<std::tuple<I...>>(iterators);
}
template <class... I> zip_iterator<std::tuple<I...>> make_zip_iterator(I... iterators)
{
    return zip_iterator<std::tuple<I...>>(std::tuple<I...>(iterators...));
}
/** A function of several arguments as one of their tuple. */
template <class F> struct zip_function {
    F f;
    zip_function(F f_) : f(f_)
    {
    }
    template <class Tuple> __host__ __device__ decltype(auto) operator()(Tuple &&tuple) const
    {
        return std::apply(f, tuple);
    }
};
template <class F> zip_function<F> make_zip_function(F f)
{
    return zip_function<F>(f);
}
} // namespace thrust

#endif
