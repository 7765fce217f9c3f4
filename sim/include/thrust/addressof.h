/**
 * @file addressof.h
 * @brief thrust::addressof().
 */
#ifndef UMSIM_THRUST_ADDRESSOF_H
#define UMSIM_THRUST_ADDRESSOF_H

#include <memory>

namespace thrust
{
using std::addressof;
}

#include "detail/brought_lightly.h"

#endif
