/**
 * @file span.h
 * @brief <cuda/std/span>: a pointer and a number of elements. C++20 has it; here it is available from C++17
 * on, as in CUDA.
 */
#ifndef UMSIM_CUDA_SPAN_H
#define UMSIM_CUDA_SPAN_H

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace cuda
{
namespace std
{

/** The length of a span whose length is known only at run time. */
constexpr size_t dynamic_extent = (size_t)-1;

template <class _Tp, size_t _Extent = dynamic_extent> class span
{
  public:
    typedef _Tp element_type;
    typedef ::std::remove_cv_t<_Tp> value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef _Tp *pointer;
    typedef const _Tp *const_pointer;
    typedef _Tp &reference;
    typedef const _Tp &const_reference;
    typedef _Tp *iterator;
    typedef ::std::reverse_iterator<_Tp *> reverse_iterator;
    static constexpr size_t extent = _Extent;

    constexpr span() noexcept : __data_(nullptr), __size_(0)
    {
        static_assert(_Extent == dynamic_extent || _Extent == 0,
                      "a span of a fixed length is one of something");
    }
    constexpr span(_Tp *__first, size_t __count) : __data_(__first), __size_(__count)
    {
    }
    constexpr span(_Tp *__first, _Tp *__last) : __data_(__first), __size_((size_t)(__last - __first))
    {
    }
    template <size_t _Np> constexpr span(_Tp (&__array)[_Np]) noexcept : __data_(__array), __size_(_Np)
    {
        static_assert(_Extent == dynamic_extent || _Extent == _Np, "the array has another length");
    }
    template <class _Up, size_t _Np>
    constexpr span(::std::array<_Up, _Np> &__array) noexcept : __data_(__array.data()), __size_(_Np)
    {
    }
    template <class _Up, size_t _Np>
    constexpr span(const ::std::array<_Up, _Np> &__array) noexcept : __data_(__array.data()), __size_(_Np)
    {
    }
    /** From a span of the same type, or of its type without const. */
    template <class _Up, size_t _Np,
              class = ::std::enable_if_t<::std::is_convertible<_Up (*)[], _Tp (*)[]>::value>>
    constexpr span(const span<_Up, _Np> &__other) noexcept : __data_(__other.data()), __size_(__other.size())
    {
    }
    /** From a container with data() and size(). */
    template <class _Container,
              class = ::std::enable_if_t<
                  !::std::is_array<::std::remove_reference_t<_Container>>::value &&
                  ::std::is_convertible<decltype(::std::declval<_Container &>().data()), _Tp *>::value>,
              class = decltype(::std::declval<_Container &>().size())>
    constexpr span(_Container &&__container) : __data_(__container.data()), __size_(__container.size())
    {
    }

    constexpr _Tp *data() const noexcept
    {
        return __data_;
    }
    constexpr size_t size() const noexcept
    {
        return _Extent == dynamic_extent ? __size_ : _Extent;
    }
    constexpr size_t size_bytes() const noexcept
    {
        return size() * sizeof(_Tp);
    }
    constexpr bool empty() const noexcept
    {
        return size() == 0;
    }
    constexpr _Tp &operator[](size_t __i) const
    {
        return __data_[__i];
    }
    constexpr _Tp &front() const
    {
        return __data_[0];
    }
    constexpr _Tp &back() const
    {
        return __data_[size() - 1];
    }
    constexpr _Tp *begin() const noexcept
    {
        return __data_;
    }
    constexpr _Tp *end() const noexcept
    {
        return __data_ + size();
    }
    constexpr reverse_iterator rbegin() const noexcept
    {
        return reverse_iterator(end());
    }
    constexpr reverse_iterator rend() const noexcept
    {
        return reverse_iterator(begin());
    }
    constexpr span<_Tp> first(size_t __count) const
    {
        return span<_Tp>(__data_, __count);
    }
    constexpr span<_Tp> last(size_t __count) const
    {
        return span<_Tp>(end() - __count, __count);
    }
    constexpr span<_Tp> subspan(size_t __offset, size_t __count = dynamic_extent) const
    {
        return span<_Tp>(__data_ + __offset, __count == dynamic_extent ? size() - __offset : __count);
    }
    template <size_t _Count> constexpr span<_Tp, _Count> first() const
    {
        return span<_Tp, _Count>(__data_, _Count);
    }
    template <size_t _Count> constexpr span<_Tp, _Count> last() const
    {
        return span<_Tp, _Count>(end() - _Count, _Count);
    }

  private:
    _Tp *__data_;
    size_t __size_;
};

template <class _Tp, size_t _Np> span(_Tp (&)[_Np]) -> span<_Tp, _Np>;
template <class _Tp> span(_Tp *, size_t) -> span<_Tp>;
template <class _Tp> span(_Tp *, _Tp *) -> span<_Tp>;
template <class _Tp, size_t _Np> span(::std::array<_Tp, _Np> &) -> span<_Tp, _Np>;
template <class _Tp, size_t _Np> span(const ::std::array<_Tp, _Np> &) -> span<const _Tp, _Np>;
template <class _Container>
span(_Container &&) -> span<::std::remove_pointer_t<decltype(::std::declval<_Container &>().data())>>;

} // namespace std
} // namespace cuda

#endif
