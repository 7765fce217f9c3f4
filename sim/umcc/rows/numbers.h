/**
 * @file numbers.h
 * @brief What reckon.cpp and demands.cpp know of types and constants.
 */
#ifndef UMCC_ROWS_NUMBERS_H
#define UMCC_ROWS_NUMBERS_H

#include "gcc.h"

namespace rows
{

inline tree number_of(HOST_WIDE_INT n)
{
    return build_int_cst(uint64_type_node, n);
}

/** Whether values of this type are reckoned: whole numbers and addresses of up to 64 bits. */
inline bool is_number(tree type)
{
    return (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) <= 64 &&
            TYPE_PRECISION(type) == GET_MODE_PRECISION(SCALAR_INT_TYPE_MODE(type))) ||
           (POINTER_TYPE_P(type) && TYPE_PRECISION(type) == 64);
}

inline bool is_wide(tree type)
{
    return TYPE_PRECISION(type) == 64;
}

} // namespace rows

#endif
