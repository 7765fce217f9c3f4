/**
 * @file relocatable.h
 * @brief thrust::is_trivially_relocatable, without what its public header brings.
 */
#ifndef UMSIM_THRUST_DETAIL_RELOCATABLE_H
#define UMSIM_THRUST_DETAIL_RELOCATABLE_H

#include "config.h"
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
