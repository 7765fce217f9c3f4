/**
 * @file inner_product.h
 * @brief The algorithms of Thrust's inner_product.h.
 */
#ifndef UMSIM_THRUST_INNER_PRODUCT_H
#define UMSIM_THRUST_INNER_PRODUCT_H

#include "detail/reducing.h"

#endif
