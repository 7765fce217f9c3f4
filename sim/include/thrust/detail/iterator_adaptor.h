/**
 * @file iterator_adaptor.h
 * @brief thrust::iterator_adaptor: another iterator, of which a program changes some functions.
 */
#ifndef UMSIM_THRUST_ITERATOR_ADAPTOR_H
#define UMSIM_THRUST_ITERATOR_ADAPTOR_H

#include "iterator_facade.h"

namespace thrust
{
namespace detail
{
template <class _Asked, class _Default>
using asked_or = std::conditional_t<std::is_same_v<_Asked, use_default>, _Default, _Asked>;
template <class _Ip>
using system_tag_of = std::conditional_t<
    memory_space_of<_Ip>() == memory_space::device, device_system_tag,
    std::conditional_t<memory_space_of<_Ip>() == memory_space::host, host_system_tag, any_system_tag>>;
} // namespace detail

/** An iterator `_Self` that does what `_Base` does, but for the functions that it has itself. */
template <class _Self, class _Base, class _Value = use_default, class _System = use_default,
          class _Traversal = use_default, class _Reference = use_default, class _Difference = use_default>
class iterator_adaptor
    : public iterator_facade<
          _Self, detail::asked_or<_Value, detail::value_of<_Base>>,
          detail::asked_or<_System, detail::system_tag_of<_Base>>, _Traversal,
          detail::asked_or<_Reference,
                           std::conditional_t<std::is_same_v<_Value, use_default>,
                                              typename std::iterator_traits<_Base>::reference, _Value &>>,
          detail::asked_or<_Difference, typename std::iterator_traits<_Base>::difference_type>>
{
    friend class iterator_core_access;

  protected:
    using super_t = iterator_adaptor;
    const _Base &base_reference() const
    {
        return __base_;
    }
    _Base &base_reference()
    {
        return __base_;
    }

  public:
    using base_type = _Base;
    iterator_adaptor() = default;
    explicit iterator_adaptor(const _Base &__base) : __base_(__base)
    {
    }
    const _Base &base() const
    {
        return __base_;
    }

  private:
    typename iterator_adaptor::reference dereference() const
    {
        return *__base_;
    }
    template <class _Other> bool equal(const _Other &__other) const
    {
        return __base_ == __other.base();
    }
    void increment()
    {
        ++__base_;
    }
    void decrement()
    {
        --__base_;
    }
    void advance(typename iterator_adaptor::difference_type __n)
    {
        __base_ += __n;
    }
    template <class _Other>
    typename iterator_adaptor::difference_type distance_to(const _Other &__other) const
    {
        return __other.base() - __base_;
    }

    _Base __base_;
};

/** The tag of the memory that an iterator refers to. */
template <class _Ip> struct iterator_system {
    using type = detail::system_tag_of<_Ip>;
};
template <class _Ip> using iterator_system_t = typename iterator_system<_Ip>::type;
template <class _Ip> struct iterator_value {
    using type = detail::value_of<_Ip>;
};
template <class _Ip> using iterator_value_t = typename iterator_value<_Ip>::type;
template <class _Ip> struct iterator_reference {
    using type = typename std::iterator_traits<_Ip>::reference;
};
template <class _Ip> using iterator_reference_t = typename iterator_reference<_Ip>::type;
template <class _Ip> struct iterator_difference {
    using type = typename std::iterator_traits<_Ip>::difference_type;
};
template <class _Ip> using iterator_difference_t = typename iterator_difference<_Ip>::type;
} // namespace thrust

#endif
