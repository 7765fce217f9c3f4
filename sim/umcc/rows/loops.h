/**
 * @file loops.h
 * @brief The pass that has a loop's accesses judged before it begins (loops.cpp).
 */
#ifndef UMCC_ROWS_LOOPS_H
#define UMCC_ROWS_LOOPS_H

#include "gcc.h"

namespace rows
{

/** @return the pass, for g++, which keeps it */
opt_pass *make_pass(gcc::context *context);

} // namespace rows

#endif
