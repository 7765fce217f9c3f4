/**
 * @file span.h
 * @brief <cuda/std/span>: a pointer and how many. C++20 has it; here it is from C++17 on, as in CUDA.
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

/** A span whose length is known only when the program runs. */
constexpr size_t dynamic_extent = (size_t)-1;

template <class T, size_t Extent = dynamic_extent> class span
{
  public:
    typedef T element_type;
    typedef ::std::remove_cv_t<T> value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *iterator;
    typedef ::std::reverse_iterator<T *> reverse_iterator;
    static constexpr size_t extent = Extent;

    constexpr span() noexcept : data_(nullptr), size_(0)
    {
        static_assert(Extent == dynamic_extent || Extent == 0,
                      "a span of a fixed length is one of something");
    }
    constexpr span(T *first, size_t count) : data_(first), size_(count)
    {
    }
    constexpr span(T *first, T *last) : data_(first), size_((size_t)(last - first))
    {
    }
    template <size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N)
    {
        static_assert(Extent == dynamic_extent || Extent == N, "the array has another length");
    }
    template <class U, size_t N>
    constexpr span(::std::array<U, N> &array) noexcept : data_(array.data()), size_(N)
    {
    }
    template <class U, size_t N>
    constexpr span(const ::std::array<U, N> &array) noexcept : data_(array.data()), size_(N)
    {
    }
    /** From a span of the same, or of what is not const. */
    template <class U, size_t N, class = ::std::enable_if_t<::std::is_convertible<U (*)[], T (*)[]>::value>>
    constexpr span(const span<U, N> &other) noexcept : data_(other.data()), size_(other.size())
    {
    }
    /** From a container with data() and size(). */
    template <class Container,
              class = ::std::enable_if_t<
                  !::std::is_array<::std::remove_reference_t<Container>>::value &&
                  ::std::is_convertible<decltype(::std::declval<Container &>().data()), T *>::value>,
              class = decltype(::std::declval<Container &>().size())>
    constexpr span(Container &&container) : data_(container.data()), size_(container.size())
    {
    }

    constexpr T *data() const noexcept
    {
        return data_;
    }
    constexpr size_t size() const noexcept
    {
        return Extent == dynamic_extent ? size_ : Extent;
    }
    constexpr size_t size_bytes() const noexcept
    {
        return size() * sizeof(T);
    }
    constexpr bool empty() const noexcept
    {
        return size() == 0;
    }
    constexpr T &operator[](size_t i) const
    {
        return data_[i];
    }
    constexpr T &front() const
    {
        return data_[0];
    }
    constexpr T &back() const
    {
        return data_[size() - 1];
    }
    constexpr T *begin() const noexcept
    {
        return data_;
    }
    constexpr T *end() const noexcept
    {
        return data_ + size();
    }
    constexpr reverse_iterator rbegin() const noexcept
    {
        return reverse_iterator(end());
    }
    constexpr reverse_iterator rend() const noexcept
    {
        return reverse_iterator(begin());
    }
    constexpr span<T> first(size_t count) const
    {
        return span<T>(data_, count);
    }
    constexpr span<T> last(size_t count) const
    {
        return span<T>(end() - count, count);
    }
    constexpr span<T> subspan(size_t offset, size_t count = dynamic_extent) const
    {
        return span<T>(data_ + offset, count == dynamic_extent ? size() - offset : count);
    }
    template <size_t Count> constexpr span<T, Count> first() const
    {
        return span<T, Count>(data_, Count);
    }
    template <size_t Count> constexpr span<T, Count> last() const
    {
        return span<T, Count>(end() - Count, Count);
    }

  private:
    T *data_;
    size_t size_;
};

template <class T, size_t N> span(T (&)[N]) -> span<T, N>;
template <class T> span(T *, size_t) -> span<T>;
template <class T> span(T *, T *) -> span<T>;
template <class T, size_t N> span(::std::array<T, N> &) -> span<T, N>;
template <class T, size_t N> span(const ::std::array<T, N> &) -> span<const T, N>;
template <class Container>
span(Container &&) -> span<::std::remove_pointer_t<decltype(::std::declval<Container &>().data())>>;

} // namespace std
} // namespace cuda

#endif
