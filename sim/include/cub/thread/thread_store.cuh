/**
 * @file thread_store.cuh
 * @brief cub::ThreadStore: writes by a hint for the caches.
 */
#ifndef UMSIM_CUB_THREAD_THREAD_STORE_CUH
#define UMSIM_CUB_THREAD_THREAD_STORE_CUH

#include "../config.cuh"
#include "../util_ptx.cuh"

#include <type_traits>

namespace cub
{
/** Hints for caches, which the simulator does not have; STORE_VOLATILE and STORE_WT are volatile writes. */
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

/** Writes `__value` to where `__to` refers. */
template <CacheStoreModifier _How, class _Op, class _Tp> __device__ void ThreadStore(_Op __to, _Tp __value)
{
    using __value_type = std::decay_t<decltype(*__to)>;
    if constexpr ((_How == STORE_VOLATILE || _How == STORE_WT) && std::is_scalar_v<__value_type>)
        *(volatile __value_type *)__to = __value;
    else
        *__to = __value;
}
} // namespace cub

#endif
