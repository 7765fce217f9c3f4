/**
 * @file managed.c
 * @brief Managed memory, prefetch and advice (CUDA Runtime API, Memory Management).
 */
#include "graph.h"
#include "runtime.h"
#include "../record/counters.h"
#include "../space/managed.h"
#include "../base/report.h"
#include "../base/machine.h"
#include "../base/sticky.h"

#include <string.h>

struct prefetch {
    struct umsim_op op;
    const void *p;
    size_t bytes;
    enum uvm_processor destination;
};

static cudaError_t malloc_managed(void **p, size_t bytes, unsigned flags, const void *caller)
{
    if (!p || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return cudaErrorInvalidValue;
    if (!umsim_machine_of(umsim_device())->attributes.managed_memory)
        return cudaErrorNotSupported;
    if (umsim_devices > 1 && !umsim_machine_of(umsim_device())->attributes.concurrent_managed_access) {
        umsim_say(
            "cudaMallocManaged: managed memory of several devices whose concurrentManagedAccess is 0 is not "
            "simulated; show the program one device (CUDA_VISIBLE_DEVICES=0), or take cudaMalloc and copies");
        return cudaErrorNotSupported;
    }
    umsim_spend_allocation(UMSIM_MALLOC_MANAGED, bytes);
    *p = NULL;
    if (bytes == 0)
        return cudaSuccess;
    struct umsim_alloc *allocation = umsim_allocate(UMSIM_MANAGED, bytes, "cudaMallocManaged", caller);
    if (!allocation)
        return cudaErrorMemoryAllocation;
    allocation->flags = allocation->attachment = flags;
    if (!umsim_managed_create(allocation->base, bytes, flags == cudaMemAttachGlobal)) {
        umsim_release(allocation);
        return cudaErrorMemoryAllocation;
    }
    *p = allocation->base;
    return cudaSuccess;
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    UMSIM_ENTER(cudaMallocManaged, devPtr, size, flags);
    return umsim_leave(malloc_managed(devPtr, size, flags, __builtin_return_address(0)));
}

static bool inside_managed(const void *p, size_t bytes)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    return allocation && umsim_is_managed(allocation->memory) && bytes > 0 &&
           (size_t)((const char *)p - allocation->base) + bytes <= allocation->bytes;
}

/* Translates a location to the policy's name for it.
 * @return the call's error when it is no valid location */
static cudaError_t processor_of(struct cudaMemLocation location, enum uvm_processor *processor)
{
    if (location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma ||
        location.type == cudaMemLocationTypeHostNumaCurrent) {
        *processor = UVM_CPU;
        return cudaSuccess;
    }
    *processor = UVM_GPU;
    if (location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    if (!umsim_is_device(location.id))
        return cudaErrorInvalidDevice;
    *processor = uvm_gpu((unsigned)location.id);
    return cudaSuccess;
}

/* As in traces. */
static const char *name_of(enum uvm_processor processor)
{
    static const char *const names[] = {"GPU 0", "GPU 1", "GPU 2", "GPU 3",
                                        "GPU 4", "GPU 5", "GPU 6", "GPU 7"};
    _Static_assert(sizeof names / sizeof names[0] == UVM_GPUS_MAX, "each has a name");
    if (processor == UVM_CPU)
        return "CPU";
    return umsim_devices > 1 ? names[uvm_device_of(processor)] : "GPU";
}

static void run_prefetch(struct umsim_op *op)
{
    struct prefetch *it = (struct prefetch *)op;
    struct umsim_paging_work work = {0};
    if (umsim_sticky_error())
        return;
    umsim_managed_prefetch(it->p, it->bytes, it->destination, &work);
    struct umsim_copy_cost cost = umsim_cost_prefetch(&umsim_machine_of(op->device)->costs, it->bytes, &work,
                                                      it->destination == UVM_CPU);
    op->engine = cost.engine;
    op->duration_ns = cost.engine_ns;
    op->bytes = work.bytes_htod + work.bytes_dtoh + work.bytes_dtod;
}

static cudaError_t prefetch(const void *p, size_t bytes, struct cudaMemLocation location, unsigned flags,
                            cudaStream_t handle)
{
    struct umsim_stream *stream = umsim_stream_of(handle);
    enum uvm_processor destination;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = umsim_admit_uncaptured(stream);
    if (error)
        return error;
    if (!bytes || flags)
        return cudaErrorInvalidValue;
    error = processor_of(location, &destination); /* before the memory is looked at, as on two H200s */
    if (!error && !inside_managed(p, bytes))
        error = cudaErrorInvalidValue;
    if (!error && uvm_is_gpu(destination) &&
        !umsim_machine_of(umsim_device())->attributes.concurrent_managed_access)
        error = cudaErrorInvalidDevice;
    if (error)
        return error;
    struct prefetch *it = umsim_op_make(sizeof *it, "prefetch");
    if (!it)
        return cudaErrorMemoryAllocation;
    it->op.run = run_prefetch;
    umsim_registry_changed();
    it->p = p;
    it->bytes = bytes;
    it->destination = destination;
    it->op.detail = name_of(destination);
    struct umsim_paging_work none = {.prefetch = 1};
    umsim_clock_advance(
        umsim_cost_prefetch(&umsim_machine_of(umsim_device())->costs, bytes, &none, destination == UVM_CPU)
            .issue_ns);
    umsim_op_issue(&it->op, stream);
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    UMSIM_ENTER(cudaMemPrefetchAsync, devPtr, count, location, flags, stream);
    return umsim_leave(prefetch(devPtr, count, location, flags, stream));
}

static cudaError_t advise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    static const enum uvm_advice meaning[] = {
        [cudaMemAdviseSetReadMostly] = UVM_SET_READ_MOSTLY,
        [cudaMemAdviseUnsetReadMostly] = UVM_UNSET_READ_MOSTLY,
        [cudaMemAdviseSetPreferredLocation] = UVM_SET_PREFERRED_LOCATION,
        [cudaMemAdviseUnsetPreferredLocation] = UVM_UNSET_PREFERRED_LOCATION,
        [cudaMemAdviseSetAccessedBy] = UVM_SET_ACCESSED_BY,
        [cudaMemAdviseUnsetAccessedBy] = UVM_UNSET_ACCESSED_BY,
    };
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy ||
        !inside_managed(p, bytes))
        return cudaErrorInvalidValue;
    if (location.type <= cudaMemLocationTypeInvalid || location.type > cudaMemLocationTypeHostNumaCurrent)
        return cudaErrorInvalidValue; /* also where the location has no meaning */
    bool has_location = advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
                        advice == cudaMemAdviseUnsetAccessedBy;
    enum uvm_processor processor = UVM_NO_PROCESSOR;
    cudaError_t error = has_location ? processor_of(location, &processor) : cudaSuccess;
    if (error) /* as on an H200, although a prefetch to such a device is cudaErrorInvalidDevice */
        return cudaErrorInvalidValue;
    if (uvm_is_gpu(processor) && advice != cudaMemAdviseUnsetAccessedBy &&
        !umsim_machine_of(umsim_device())->attributes.concurrent_managed_access)
        return cudaErrorInvalidDevice; /* the manual: the device must have concurrent access */
    umsim_spend(UMSIM_CALL_MEM_ADVISE);
    return umsim_managed_advise(p, bytes, meaning[advice], processor) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    UMSIM_ENTER(cudaMemAdvise, devPtr, count, advice, location);
    return umsim_leave(advise(devPtr, count, advice, location));
}

/* The runtime's number for a processor. */
static int device_id(enum uvm_processor processor)
{
    return uvm_is_gpu(processor)  ? (int)uvm_device_of(processor)
           : processor == UVM_CPU ? cudaCpuDeviceId
                                  : cudaInvalidDeviceId;
}

static cudaError_t put_int(void *data, size_t size, int value)
{
    if (size != sizeof value)
        return cudaErrorInvalidValue;
    memcpy(data, &value, sizeof value);
    return cudaSuccess;
}

/* Writes all processors of AccessedBy, and fills the rest with cudaInvalidDeviceId. */
static cudaError_t put_accessed_by(void *data, size_t size, const struct uvm_attributes *attributes)
{
    int *out = data;
    size_t capacity = size / sizeof *out, used = 0;
    if (!capacity || size % sizeof *out)
        return cudaErrorInvalidValue;
    for (unsigned device = 0; device < umsim_devices; device++)
        if (attributes->accessed_by & uvm_bit(uvm_gpu(device)) && used < capacity)
            out[used++] = (int)device;
    if (attributes->accessed_by & uvm_bit(UVM_CPU) && used < capacity)
        out[used++] = cudaCpuDeviceId;
    while (used < capacity)
        out[used++] = cudaInvalidDeviceId;
    return cudaSuccess;
}

static int location_type(enum uvm_processor processor)
{
    return uvm_is_gpu(processor)  ? cudaMemLocationTypeDevice
           : processor == UVM_CPU ? cudaMemLocationTypeHost
                                  : cudaMemLocationTypeInvalid;
}

static cudaError_t range_attribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
                                   const void *p, size_t bytes)
{
    struct uvm_attributes attributes;
    if (!data || !inside_managed(p, bytes) || !umsim_managed_attributes(p, bytes, &attributes))
        return cudaErrorInvalidValue;
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
        return put_int(data, size, attributes.read_mostly);
    case cudaMemRangeAttributePreferredLocation:
        return put_int(data, size, device_id(attributes.preferred_location));
    case cudaMemRangeAttributeAccessedBy:
        return put_accessed_by(data, size, &attributes);
    case cudaMemRangeAttributeLastPrefetchLocation:
        return put_int(data, size, device_id(attributes.last_prefetch_location));
    case cudaMemRangeAttributePreferredLocationType:
        return put_int(data, size, location_type(attributes.preferred_location));
    case cudaMemRangeAttributePreferredLocationId:
        return put_int(data, size, device_id(attributes.preferred_location));
    case cudaMemRangeAttributeLastPrefetchLocationType:
        return put_int(data, size, location_type(attributes.last_prefetch_location));
    case cudaMemRangeAttributeLastPrefetchLocationId:
        return put_int(data, size, device_id(attributes.last_prefetch_location));
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                     const void *devPtr, size_t count)
{
    UMSIM_ENTER(cudaMemRangeGetAttribute, data, dataSize, attribute, devPtr, count);
    return umsim_leave(range_attribute(data, dataSize, attribute, devPtr, count));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr, size_t count)
{
    UMSIM_ENTER(cudaMemRangeGetAttributes, data, dataSizes, attributes, numAttributes, devPtr, count);
    cudaError_t error =
        data && dataSizes && attributes && numAttributes ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; !error && i < numAttributes; i++)
        error = range_attribute(data[i], dataSizes[i], attributes[i], devPtr, count);
    return umsim_leave(error);
}

struct attach {
    struct umsim_op op;
    struct umsim_alloc *allocation;
    unsigned attachment;
};

/* The memory still exists: cudaFree waits for everything. */
static void run_attach(struct umsim_op *op)
{
    const struct attach *it = (const struct attach *)op;
    const bool single = it->attachment == cudaMemAttachSingle;
    if (single && op->stream->destroyed)
        umsim_managed_attach(it->allocation, it->allocation->flags, NULL);
    else
        umsim_managed_attach(it->allocation, it->attachment, single ? &op->stream->kernels : NULL);
}

/* With concurrent access the attachment has no effect that a program could see. */
static cudaError_t attach(cudaStream_t handle, void *p, size_t bytes, unsigned flags)
{
    struct umsim_stream *stream = umsim_stream_of(handle);
    struct umsim_alloc *allocation = umsim_registry_find(p);
    cudaError_t error = stream ? umsim_admit_uncaptured(stream) : cudaErrorInvalidResourceHandle;
    if (error)
        return error;
    if (!allocation || !umsim_is_managed(allocation->memory) || (bytes && bytes != allocation->bytes) ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) ||
        (flags == cudaMemAttachSingle && stream->is_legacy))
        return cudaErrorInvalidValue;
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (umsim_machine_of(umsim_device())->attributes.concurrent_managed_access)
        return cudaSuccess;
    struct attach *it = umsim_op_make(sizeof *it, "attach");
    if (!it)
        return cudaErrorMemoryAllocation;
    it->op.run = run_attach;
    it->allocation = allocation;
    it->attachment = flags;
    umsim_op_issue(&it->op, stream);
    return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags)
{
    UMSIM_ENTER(cudaStreamAttachMemAsync, stream, devPtr, length, flags);
    return umsim_leave(attach(stream, devPtr, length, flags));
}
