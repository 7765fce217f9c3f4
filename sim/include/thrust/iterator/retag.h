/**
 * @file retag.h
 * @brief thrust::retag() and reinterpret_tag(): a pointer as one of another system's.
 */
#ifndef UMSIM_THRUST_RETAG_H
#define UMSIM_THRUST_RETAG_H

#include "../device_ptr.h"
#include "iterator_facade.h"

namespace thrust
{
/** @return the pointer as one of `_Tag`'s memory: a device_ptr, or a plain pointer @{ */
template <class _Tag, class _Tp> auto reinterpret_tag(_Tp *__p)
{
    if constexpr (detail::space_of<_Tag>() == detail::memory_space::device)
        return device_ptr<_Tp>(__p);
    else
        return __p;
}
template <class _Tag, class _Ip, class = std::enable_if_t<!std::is_pointer_v<_Ip>>>
auto reinterpret_tag(_Ip __p)
{
    return reinterpret_tag<_Tag>(detail::raw(__p));
}
template <class _Tag, class _Ip> auto retag(_Ip __p)
{
    return reinterpret_tag<_Tag>(__p);
}
/** @} */
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
