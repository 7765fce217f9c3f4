/**
 * @file mma.h
 * @brief The matrix product that a warp works out together (umsim/products.h).
 *
 * GPU process only.
 */
#ifndef UMSIM_MMA_H
#define UMSIM_MMA_H

#include <stdint.h>

/** Works out a product from the parts of all lanes. Each value is the address of a struct
 * umsim_product_part. */
void umsim_multiply(const uint64_t *parts);

#endif
