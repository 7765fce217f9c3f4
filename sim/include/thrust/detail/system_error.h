/**
 * @file thrust/detail/system_error.h
 * @brief thrust::system_error, the exception that reports failed CUDA calls.
 */
#ifndef UMSIM_THRUST_DETAIL_SYSTEM_ERROR_H
#define UMSIM_THRUST_DETAIL_SYSTEM_ERROR_H

#include "../../cuda_runtime.h"

#include <system_error>

namespace thrust
{
using std::error_category;
using std::error_code;
using std::error_condition;
using std::system_error;

/** The error category for the numbers of cudaError_t. */
inline const error_category &cuda_category()
{
    struct category : error_category {
        const char *name() const noexcept override
        {
            return "cuda";
        }
        std::string message(int __value) const override
        {
            return std::string(cudaGetErrorName((cudaError_t)__value)) + ": " +
                   cudaGetErrorString((cudaError_t)__value);
        }
    };
    static const category __only;
    return __only;
}
namespace system
{
using thrust::cuda_category;
using thrust::error_code;
using thrust::system_error;
} // namespace system
} // namespace thrust

#endif
