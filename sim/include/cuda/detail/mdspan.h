/**
 * @file mdspan.h
 * @brief <cuda/std/mdspan>: several dimensions of memory that lies in a row, by rows (layout_right) or
 * columns (layout_left).
 *
 * `m(i, j)` is an element. Layouts with strides of their own, and submdspan(), are not provided.
 */
#ifndef UMSIM_CUDA_MDSPAN_H
#define UMSIM_CUDA_MDSPAN_H

#include "span.h"

namespace cuda
{
namespace std
{

/** How long each dimension is; dynamic_extent where only the program knows when it runs. */
template <class Index, size_t... Sizes> class extents
{
  public:
    typedef Index index_type;
    typedef size_t size_type;
    typedef size_t rank_type;

    constexpr extents() : sizes_{(Index)Sizes...}
    {
    }
    /** One number a dimension, or one for each that is not fixed. */
    template <class... I, class = ::std::enable_if_t<(::std::is_convertible<I, Index>::value && ...) &&
                                                     sizeof...(I) != 0>>
    constexpr explicit extents(I... sizes) : sizes_{(Index)Sizes...}
    {
        const Index given[] = {(Index)sizes...};
        constexpr size_t fixed[] = {Sizes...};
        static_assert(sizeof...(I) == sizeof...(Sizes) || sizeof...(I) == rank_dynamic(),
                      "extents take a number for each dimension, or for each that is not fixed");
        for (size_t r = 0, g = 0; r < rank(); r++)
            if (sizeof...(I) == sizeof...(Sizes))
                sizes_[r] = given[r];
            else if (fixed[r] == dynamic_extent)
                sizes_[r] = given[g++];
    }
    static constexpr size_t rank() noexcept
    {
        return sizeof...(Sizes);
    }
    static constexpr size_t rank_dynamic() noexcept
    {
        return (0 + ... + (size_t)(Sizes == dynamic_extent));
    }
    static constexpr size_t static_extent(size_t r) noexcept
    {
        constexpr size_t fixed[] = {Sizes...};
        return fixed[r];
    }
    constexpr Index extent(size_t r) const noexcept
    {
        return sizes_[r];
    }

  private:
    Index sizes_[sizeof...(Sizes)];
};

/** @cond internal */
namespace mdspan_detail
{
template <class Index, size_t Rank, size_t... Sizes> struct all_dynamic {
    typedef typename all_dynamic<Index, Rank - 1, dynamic_extent, Sizes...>::type type;
};
template <class Index, size_t... Sizes> struct all_dynamic<Index, 0, Sizes...> {
    typedef extents<Index, Sizes...> type;
};
} // namespace mdspan_detail
/** @endcond */

/** Extents of `Rank` dimensions, none of which is fixed. */
template <class Index, size_t Rank> using dextents = typename mdspan_detail::all_dynamic<Index, Rank>::type;

/** The last index runs fastest, as in C. */
struct layout_right {
    template <class Extents> static constexpr size_t stride(const Extents &sizes, size_t r)
    {
        size_t stride = 1;
        for (size_t d = r + 1; d < Extents::rank(); d++)
            stride *= (size_t)sizes.extent(d);
        return stride;
    }
};
/** The first one does, as in Fortran. */
struct layout_left {
    template <class Extents> static constexpr size_t stride(const Extents &sizes, size_t r)
    {
        size_t stride = 1;
        for (size_t d = 0; d < r; d++)
            stride *= (size_t)sizes.extent(d);
        return stride;
    }
};

template <class T, class Extents, class Layout = layout_right> class mdspan
{
  public:
    typedef T element_type;
    typedef ::std::remove_cv_t<T> value_type;
    typedef Extents extents_type;
    typedef Layout layout_type;
    typedef typename Extents::index_type index_type;
    typedef size_t size_type;
    typedef T *data_handle_type;
    typedef T &reference;

    constexpr mdspan() : data_(nullptr)
    {
    }
    template <class... I, class = ::std::enable_if_t<(::std::is_convertible<I, index_type>::value && ...)>>
    constexpr explicit mdspan(T *data, I... sizes) : data_(data), extents_(sizes...)
    {
    }
    constexpr mdspan(T *data, const Extents &sizes) : data_(data), extents_(sizes)
    {
    }

    template <class... I> constexpr T &operator()(I... indices) const
    {
        static_assert(sizeof...(I) == Extents::rank(),
                      "an element has as many indices as there are dimensions");
        const size_t at[] = {(size_t)indices...};
        size_t offset = 0;
        for (size_t r = 0; r < Extents::rank(); r++)
            offset += at[r] * Layout::stride(extents_, r);
        return data_[offset];
    }
    constexpr T &operator[](const ::std::array<index_type, Extents::rank()> &indices) const
    {
        size_t offset = 0;
        for (size_t r = 0; r < Extents::rank(); r++)
            offset += (size_t)indices[r] * Layout::stride(extents_, r);
        return data_[offset];
    }
    static constexpr size_t rank() noexcept
    {
        return Extents::rank();
    }
    constexpr index_type extent(size_t r) const noexcept
    {
        return extents_.extent(r);
    }
    constexpr const Extents &extents() const noexcept
    {
        return extents_;
    }
    constexpr size_t stride(size_t r) const
    {
        return Layout::stride(extents_, r);
    }
    constexpr size_t size() const noexcept
    {
        size_t all = 1;
        for (size_t r = 0; r < Extents::rank(); r++)
            all *= (size_t)extents_.extent(r);
        return all;
    }
    constexpr bool empty() const noexcept
    {
        return size() == 0;
    }
    constexpr T *data_handle() const noexcept
    {
        return data_;
    }

  private:
    T *data_;
    Extents extents_;
};

template <class T, class... I> mdspan(T *, I...) -> mdspan<T, dextents<size_t, sizeof...(I)>>;

} // namespace std
} // namespace cuda

#endif
