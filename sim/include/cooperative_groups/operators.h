/**
 * @file operators.h
 * @brief What reduce() and the scans can combine values with. Included by reduce.h and scan.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_OPERATORS_H
#define UMSIM_COOPERATIVE_GROUPS_OPERATORS_H

#include "../cooperative_groups.h"

#ifdef __UMCC__

/** @cond internal */
#define UMSIM_OPERATOR(name, expression)                                                                     \
    template <class T> struct name {                                                                         \
        __device__ T operator()(T a, T b) const                                                              \
        {                                                                                                    \
            return expression;                                                                               \
        }                                                                                                    \
    };
/** @endcond */

namespace cooperative_groups
{

UMSIM_OPERATOR(plus, a + b)
UMSIM_OPERATOR(less, b < a ? b : a)    /**< the smaller one */
UMSIM_OPERATOR(greater, a < b ? b : a) /**< the larger one */
UMSIM_OPERATOR(bit_and, a &b)
UMSIM_OPERATOR(bit_or, a | b)
UMSIM_OPERATOR(bit_xor, a ^ b)

} // namespace cooperative_groups

#undef UMSIM_OPERATOR

#endif
#endif
