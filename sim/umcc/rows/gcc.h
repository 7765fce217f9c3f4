/**
 * @file gcc.h
 * @brief g++'s own headers, in the order that they need.
 */
#ifndef UMCC_ROWS_GCC_H
#define UMCC_ROWS_GCC_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "context.h"
#include "cfgloop.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "fold-const.h"
#include "ssa.h"
#include "tree-ssa-alias.h"
#include "tree-cfg.h"
#include "tree-into-ssa.h"
#include "tree-scalar-evolution.h"
#include "cgraph.h"
#include "stringpool.h"
#include "internal-fn.h"
#include "stor-layout.h"
#include "cfgloopmanip.h"
#include "tree-ssa-loop-manip.h"
#include "gimple-expr.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#pragma GCC diagnostic pop

namespace rows
{

/** @return the statement that decides where a block leads, or NULL */
inline gcond *condition_of(basic_block block)
{
    gimple_stmt_iterator last = gsi_last_nondebug_bb(block);
    return gsi_end_p(last) ? NULL : dyn_cast<gcond *>(gsi_stmt(last));
}

} // namespace rows

#endif
