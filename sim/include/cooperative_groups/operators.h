/**
 * @file operators.h
 * @brief The operations with which reduce() and the scans can combine values. Included by reduce.h and
 * scan.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_OPERATORS_H
#define UMSIM_COOPERATIVE_GROUPS_OPERATORS_H

#include "../cooperative_groups.h"

#ifdef __UMCC__

/** @cond internal */
#define UMSIM_OPERATOR(name, expression)                                                                     \
    template <class _Tp> struct name {                                                                       \
        __device__ _Tp operator()(_Tp __a, _Tp __b) const                                                    \
        {                                                                                                    \
            return expression;                                                                               \
        }                                                                                                    \
    };
/** @endcond */

namespace cooperative_groups
{

UMSIM_OPERATOR(plus, __a + __b)
UMSIM_OPERATOR(less, __b < __a ? __b : __a)    /**< the smaller one */
UMSIM_OPERATOR(greater, __a < __b ? __b : __a) /**< the larger one */
UMSIM_OPERATOR(bit_and, __a &__b)
UMSIM_OPERATOR(bit_or, __a | __b)
UMSIM_OPERATOR(bit_xor, __a ^ __b)

} // namespace cooperative_groups

#undef UMSIM_OPERATOR

#endif
#endif
