/**
 * @file per_device_resource.h
 * @brief thrust::per_device_allocator.
 */
#ifndef UMSIM_THRUST_PER_DEVICE_RESOURCE_H
#define UMSIM_THRUST_PER_DEVICE_RESOURCE_H

#include "mr/allocator.h"

namespace thrust
{
/** @return the resource of its class; one for all devices, since there is one */
template <class _Resource, class _Policy> _Resource *get_per_device_resource(const _Policy &)
{
    return mr::get_global_resource<_Resource>();
}
template <class _Tp, class _Resource, class _Policy = device_execution>
using per_device_allocator = mr::stateless_resource_allocator<_Tp, _Resource>;
} // namespace thrust

#include "detail/brought_lightly.h"

#endif
