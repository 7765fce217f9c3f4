/**
 * @file descriptors.h
 * @brief What stands in cublasLt's descriptors: each attribute in a member of the size that NVIDIA documents.
 */
#ifndef UMSIM_LT_DESCRIPTORS_H
#define UMSIM_LT_DESCRIPTORS_H

#include "../cublas/product.h"

#include <cublasLt.h>

namespace lt
{
struct layout {
    int32_t type, order;
    uint64_t rows, columns;
    int64_t leading;
    int32_t batches, batch_mode;
    int64_t stride, plane;
};
struct matmul {
    int32_t compute, scale, pointer_mode, op_a, op_b, op_c, fill, epilogue;
    const void *bias;
    int64_t bias_stride, aux_leading, aux_stride, alpha_stride;
    const void *refused[6]; /* scales, an auxiliary output, D's largest: a product refuses what is set */
    int32_t sm_count, bias_type;
    int8_t fast;
};
struct preference {
    uint32_t search;
    uint64_t workspace;
    uint32_t reduction, alignment[4];
    float waves;
    uint64_t implementations;
};
struct transform {
    int32_t scale, pointer_mode, op_a, op_b;
};
/** An algorithm. */
struct config {
    int32_t id;
    uint32_t tile;
    int32_t split;
    uint32_t reduction, swizzling, option, stages;
    uint16_t inner, cluster;
};
template <class T, class Opaque> inline const T &in(const Opaque *descriptor)
{
    return *(const T *)descriptor;
}
} // namespace lt
#endif
