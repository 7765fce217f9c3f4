/**
 * @file thrust/detail/zip_iterator.h
 * @brief thrust::zip_iterator: tuples of several iterators' elements.
 */
#ifndef UMSIM_THRUST_DETAIL_ZIP_ITERATOR_H
#define UMSIM_THRUST_DETAIL_ZIP_ITERATOR_H

#include "../tuple.h"
#include "facade.h"

namespace thrust
{
template <class _Tuple> class zip_iterator;

/** Its elements are tuples of references. */
template <class... _Ip>
class zip_iterator<std::tuple<_Ip...>>
    : public detail::facade<zip_iterator<std::tuple<_Ip...>>, std::tuple<detail::value_of<_Ip>...>,
                            std::tuple<typename std::iterator_traits<_Ip>::reference...>,
                            detail::memory_space_of_all<_Ip...>()>
{
  public:
    using tuple_of_references = std::tuple<typename std::iterator_traits<_Ip>::reference...>;

    zip_iterator() = default;
    zip_iterator(std::tuple<_Ip...> __iterators) : __iterators_(__iterators)
    {
    }
    tuple_of_references at(detail::index __i) const
    {
        return std::apply([=](const _Ip &...__each) { return tuple_of_references(__each[__i]...); },
                          __iterators_);
    }
    void move(detail::index __n)
    {
        std::apply([=](_Ip &...__each) { ((__each += __n), ...); }, __iterators_);
    }
    detail::index from(const zip_iterator &__other) const
    {
        return std::get<0>(__iterators_) - std::get<0>(__other.__iterators_);
    }
    const std::tuple<_Ip...> &get_iterator_tuple() const
    {
        return __iterators_;
    }
    auto thrust_raw() const
    {
        return std::apply(
            [](const _Ip &...__each) {
                using __raw_tuple = std::tuple<decltype(detail::raw(__each))...>;
                return zip_iterator<__raw_tuple>(__raw_tuple(detail::raw(__each)...));
            },
            __iterators_);
    }

  private:
    std::tuple<_Ip...> __iterators_;
};
template <class... _Ip>
zip_iterator<std::tuple<_Ip...>> make_zip_iterator(const std::tuple<_Ip...> &__iterators)
{
    return zip_iterator<std::tuple<_Ip...>>(__iterators);
}
template <class... _Ip> zip_iterator<std::tuple<_Ip...>> make_zip_iterator(_Ip... __iterators)
{
    return zip_iterator<std::tuple<_Ip...>>(std::tuple<_Ip...>(__iterators...));
}
/** Turns a function of several arguments into one of their tuple. */
template <class _Fp> struct zip_function {
    _Fp __function;
    zip_function(_Fp __f) : __function(__f)
    {
    }
    template <class _Tuple> __host__ __device__ decltype(auto) operator()(_Tuple &&__tuple) const
    {
        return std::apply(__function, __tuple);
    }
};
template <class _Fp> zip_function<_Fp> make_zip_function(_Fp __f)
{
    return zip_function<_Fp>(__f);
}
} // namespace thrust

#endif
