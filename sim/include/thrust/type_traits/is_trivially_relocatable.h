/**
 * @file is_trivially_relocatable.h
 * @brief thrust::is_trivially_relocatable.
 */
#ifndef UMSIM_THRUST_TYPE_TRAITS_IS_TRIVIALLY_RELOCATABLE_H
#define UMSIM_THRUST_TYPE_TRAITS_IS_TRIVIALLY_RELOCATABLE_H

#include "../detail/config.h"
#include <type_traits>

namespace thrust
{
/** Programs may specialize it for their types. */
template <class _Tp> struct proclaim_trivially_relocatable : std::false_type {
};
template <class _Tp>
struct is_trivially_relocatable
    : std::bool_constant<std::is_trivially_copyable_v<_Tp> || proclaim_trivially_relocatable<_Tp>::value> {
};
template <class _Tp> constexpr bool is_trivially_relocatable_v = is_trivially_relocatable<_Tp>::value;
} // namespace thrust

#endif
