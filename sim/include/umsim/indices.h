/**
 * @file umsim/indices.h
 * @brief threadIdx, blockIdx, blockDim and gridDim in device functions, found by the compiler's own rules.
 *
 * umcc writes `threadIdx.x` in a device function as `::umsim::index_of(threadIdx).x`. A program may have
 * given the name to something of its own: a parameter, a member, a local variable. Then C++ finds that, and
 * index_of() gives it back. Else it finds the variable below, whose type says that the thread's index is
 * meant. In a kernel's own body the name is a parameter (sim/umcc/kernels.c).
 */
#ifndef UMSIM_INDICES_H
#define UMSIM_INDICES_H

#include "umsim/abi.h"

/** @cond internal */
namespace umsim
{
/** The names appear in the compiler's message where host code asks for an index. */
struct threadIdx_is_for_device_code {
};
struct blockIdx_is_for_device_code {
};
struct blockDim_is_for_device_code {
};
struct gridDim_is_for_device_code {
};

#define UMSIM_INDEX __attribute__((always_inline, artificial)) inline
UMSIM_INDEX const uint3 &index_of(const threadIdx_is_for_device_code &)
{
    return umsim_builtins.thread_index;
}
UMSIM_INDEX const uint3 &index_of(const blockIdx_is_for_device_code &)
{
    return umsim_builtins.block_index;
}
UMSIM_INDEX const dim3 &index_of(const blockDim_is_for_device_code &)
{
    return umsim_builtins.block_dim;
}
UMSIM_INDEX const dim3 &index_of(const gridDim_is_for_device_code &)
{
    return umsim_builtins.grid_dim;
}
template <class _Tp> __attribute__((always_inline, artificial)) constexpr inline _Tp &&index_of(_Tp &&__own)
{
    return static_cast<_Tp &&>(__own);
}
#undef UMSIM_INDEX
} // namespace umsim

constexpr ::umsim::threadIdx_is_for_device_code threadIdx{};
constexpr ::umsim::blockIdx_is_for_device_code blockIdx{};
constexpr ::umsim::blockDim_is_for_device_code blockDim{};
constexpr ::umsim::gridDim_is_for_device_code gridDim{};
/** @endcond */

#endif
