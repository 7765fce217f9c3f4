/**
 * @file umsim/block_scope.h
 * @brief Who sees an atomic operation, or a fence: everybody, or the block's threads.
 *
 * It makes a difference for umcc --check only, which tells if others take part. Also for files that umcc does
 * not compile: they include <cuda/atomic>, too.
 */
#ifndef UMSIM_BLOCK_SCOPE_H
#define UMSIM_BLOCK_SCOPE_H

#include "abi.h"

/** @cond internal */
namespace umsim
{

template <bool _Block> struct scope {
};
#ifdef UMSIM_CHECKED
template <> struct scope<true> {
    scope()
    {
        umsim_block_scope(1);
    }
    ~scope()
    {
        umsim_block_scope(0);
    }
};
#endif

} // namespace umsim
/** @endcond */

#endif
