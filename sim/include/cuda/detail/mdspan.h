/**
 * @file mdspan.h
 * @brief <cuda/std/mdspan>: several dimensions over contiguous memory, by rows (layout_right) or by columns
 * (layout_left).
 *
 * `m(i, j)` is an element. Layouts with strides of their own and submdspan() are not provided.
 */
#ifndef UMSIM_CUDA_MDSPAN_H
#define UMSIM_CUDA_MDSPAN_H

#include "span.h"

namespace cuda
{
namespace std
{

/** The length of each dimension; dynamic_extent if it is known only at run time. */
template <class _Index, size_t... _Sizes> class extents
{
  public:
    typedef _Index index_type;
    typedef size_t size_type;
    typedef size_t rank_type;

    constexpr extents() : __sizes_{(_Index)_Sizes...}
    {
    }
    /** One number for each dimension, or one for each that is not fixed. */
    template <class... _Ip, class = ::std::enable_if_t<(::std::is_convertible<_Ip, _Index>::value && ...) &&
                                                       sizeof...(_Ip) != 0>>
    constexpr explicit extents(_Ip... __sizes) : __sizes_{(_Index)_Sizes...}
    {
        const _Index __given[] = {(_Index)__sizes...};
        constexpr size_t __fixed[] = {_Sizes...};
        static_assert(sizeof...(_Ip) == sizeof...(_Sizes) || sizeof...(_Ip) == rank_dynamic(),
                      "extents take a number for each dimension, or for each that is not fixed");
        for (size_t __r = 0, __g = 0; __r < rank(); __r++)
            if (sizeof...(_Ip) == sizeof...(_Sizes))
                __sizes_[__r] = __given[__r];
            else if (__fixed[__r] == dynamic_extent)
                __sizes_[__r] = __given[__g++];
    }
    static constexpr size_t rank() noexcept
    {
        return sizeof...(_Sizes);
    }
    static constexpr size_t rank_dynamic() noexcept
    {
        return (0 + ... + (size_t)(_Sizes == dynamic_extent));
    }
    static constexpr size_t static_extent(size_t __r) noexcept
    {
        constexpr size_t __fixed[] = {_Sizes...};
        return __fixed[__r];
    }
    constexpr _Index extent(size_t __r) const noexcept
    {
        return __sizes_[__r];
    }

  private:
    _Index __sizes_[sizeof...(_Sizes)];
};

/** @cond internal */
namespace mdspan_detail
{
template <class _Index, size_t _Rank, size_t... _Sizes> struct all_dynamic {
    typedef typename all_dynamic<_Index, _Rank - 1, dynamic_extent, _Sizes...>::type type;
};
template <class _Index, size_t... _Sizes> struct all_dynamic<_Index, 0, _Sizes...> {
    typedef extents<_Index, _Sizes...> type;
};
} // namespace mdspan_detail
/** @endcond */

/** Extents of `_Rank` dimensions, none of which is fixed. */
template <class _Index, size_t _Rank>
using dextents = typename mdspan_detail::all_dynamic<_Index, _Rank>::type;

/** The last index runs fastest, as in C. */
struct layout_right {
    template <class _Extents> static constexpr size_t stride(const _Extents &__sizes, size_t __r)
    {
        size_t __stride = 1;
        for (size_t __d = __r + 1; __d < _Extents::rank(); __d++)
            __stride *= (size_t)__sizes.extent(__d);
        return __stride;
    }
};
/** The first index runs fastest, as in Fortran. */
struct layout_left {
    template <class _Extents> static constexpr size_t stride(const _Extents &__sizes, size_t __r)
    {
        size_t __stride = 1;
        for (size_t __d = 0; __d < __r; __d++)
            __stride *= (size_t)__sizes.extent(__d);
        return __stride;
    }
};

template <class _Tp, class _Extents, class _Layout = layout_right> class mdspan
{
  public:
    typedef _Tp element_type;
    typedef ::std::remove_cv_t<_Tp> value_type;
    typedef _Extents extents_type;
    typedef _Layout layout_type;
    typedef typename _Extents::index_type index_type;
    typedef size_t size_type;
    typedef _Tp *data_handle_type;
    typedef _Tp &reference;

    constexpr mdspan() : __data_(nullptr)
    {
    }
    template <class... _Ip,
              class = ::std::enable_if_t<(::std::is_convertible<_Ip, index_type>::value && ...)>>
    constexpr explicit mdspan(_Tp *__data, _Ip... __sizes) : __data_(__data), __extents_(__sizes...)
    {
    }
    constexpr mdspan(_Tp *__data, const _Extents &__sizes) : __data_(__data), __extents_(__sizes)
    {
    }

    template <class... _Ip> constexpr _Tp &operator()(_Ip... __indices) const
    {
        static_assert(sizeof...(_Ip) == _Extents::rank(),
                      "an element has as many indices as there are dimensions");
        const size_t __at[] = {(size_t)__indices...};
        size_t __offset = 0;
        for (size_t __r = 0; __r < _Extents::rank(); __r++)
            __offset += __at[__r] * _Layout::stride(__extents_, __r);
        return __data_[__offset];
    }
    constexpr _Tp &operator[](const ::std::array<index_type, _Extents::rank()> &__indices) const
    {
        size_t __offset = 0;
        for (size_t __r = 0; __r < _Extents::rank(); __r++)
            __offset += (size_t)__indices[__r] * _Layout::stride(__extents_, __r);
        return __data_[__offset];
    }
    static constexpr size_t rank() noexcept
    {
        return _Extents::rank();
    }
    constexpr index_type extent(size_t __r) const noexcept
    {
        return __extents_.extent(__r);
    }
    constexpr const _Extents &extents() const noexcept
    {
        return __extents_;
    }
    constexpr size_t stride(size_t __r) const
    {
        return _Layout::stride(__extents_, __r);
    }
    constexpr size_t size() const noexcept
    {
        size_t __all = 1;
        for (size_t __r = 0; __r < _Extents::rank(); __r++)
            __all *= (size_t)__extents_.extent(__r);
        return __all;
    }
    constexpr bool empty() const noexcept
    {
        return size() == 0;
    }
    constexpr _Tp *data_handle() const noexcept
    {
        return __data_;
    }

  private:
    _Tp *__data_;
    _Extents __extents_;
};

template <class _Tp, class... _Ip> mdspan(_Tp *, _Ip...) -> mdspan<_Tp, dextents<size_t, sizeof...(_Ip)>>;

} // namespace std
} // namespace cuda

#endif
