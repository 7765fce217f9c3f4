/**
 * @file thread_load.cuh
 * @brief cub::ThreadLoad: reads by a hint for the caches.
 */
#ifndef UMSIM_CUB_THREAD_THREAD_LOAD_CUH
#define UMSIM_CUB_THREAD_THREAD_LOAD_CUH

#include "../config.cuh"
#include "../util_ptx.cuh"

#include <type_traits>

namespace cub
{
/** Hints for caches, which the simulator does not have; LOAD_VOLATILE and LOAD_CV are volatile reads. */
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

/** @return what `__from` refers to */
template <CacheLoadModifier _How, class _Ip> __device__ auto ThreadLoad(_Ip __from)
{
    using __value_type = std::decay_t<decltype(*__from)>;
    if constexpr ((_How == LOAD_VOLATILE || _How == LOAD_CV) && std::is_scalar_v<__value_type>)
        return (__value_type) * (const volatile __value_type *)__from;
    else
        return (__value_type)*__from;
}
} // namespace cub

#endif
