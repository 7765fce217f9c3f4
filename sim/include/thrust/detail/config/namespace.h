/**
 * @file namespace.h
 * @brief How other libraries open Thrust's namespace to add to it.
 */
#ifndef UMSIM_THRUST_NAMESPACE_H
#define UMSIM_THRUST_NAMESPACE_H

#define THRUST_NAMESPACE_BEGIN                                                                               \
    namespace thrust                                                                                         \
    {
#define THRUST_NAMESPACE_END }
#define THRUST_NS_QUALIFIER ::thrust

#endif
