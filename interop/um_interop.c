/**
 * @file um_interop.c
 * @brief Implementation of um_interop.h: checks each range and holds its buffer while it makes the CUDA
 * call.
 */
#include "um_interop.h"

#include "um_cuda_compat.h"
#include "um_hold.h"
#include "um_mapped.h"

#include "kernels.h"

#include <inttypes.h>

/* Addresses are passed as numbers, so that other languages need no pointer type. */
static void *pointer(uint64_t address)
{
    return (void *)(uintptr_t)address; // NOLINT(performance-no-int-to-ptr)
}

static cudaStream_t stream_of(um_stream stream)
{
    return (cudaStream_t)pointer(stream); /* cudaStreamLegacy is 1, cudaStreamPerThread 2 */
}

/* NVIDIA's driver follows whatever it is given as a stream, so a number that is no address must not reach
 * it. */
static cudaError_t check_stream(um_stream stream)
{
    if (stream <= (um_stream)(uintptr_t)cudaStreamPerThread ||
        (stream % sizeof(void *) == 0 && um_mapped(pointer(stream), sizeof(void *), false)))
        return cudaSuccess;
    return um_fail(cudaErrorInvalidResourceHandle,
                   "%#" PRIx64 " is no stream: 0, 1 and 2 are, and what cudaStreamCreate() gave", stream);
}

/* ---- copies ---- */

/* A part of a buffer, with a reference to the buffer. */
struct part {
    um_buffer buffer;
    struct um_buffer_info info;
    uint64_t offset;
};

/* Takes the reference for work that is to be queued in `stream`. */
static cudaError_t hold(struct part *part, struct um_place at, uint64_t bytes, um_stream stream)
{
    const cudaError_t error = check_stream(stream);
    if (error != cudaSuccess)
        return error;
    part->buffer = at.buffer;
    part->offset = at.offset;
    return um_hold(at.buffer, at.offset, bytes, &part->info);
}

/* Drops the reference. An earlier error takes precedence over one that happens here. */
static cudaError_t release(const struct part *part, cudaError_t error)
{
    const cudaError_t last = um_buffer_release(part->buffer);
    return error != cudaSuccess ? error : last;
}

static cudaError_t copy(void *to, const void *from, uint64_t bytes, um_stream stream)
{
    if (bytes == 0)
        return cudaSuccess;
    return um_called(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(stream)),
                     "cudaMemcpyAsync");
}

cudaError_t um_copy(struct um_place to, struct um_place from, uint64_t bytes, um_stream stream)
{
    struct part target, source;
    cudaError_t error = hold(&target, to, bytes, stream);
    if (error != cudaSuccess)
        return error;
    error = hold(&source, from, bytes, stream);
    if (error != cudaSuccess)
        return release(&target, error);
    error = copy(pointer(target.info.address + to.offset), pointer(source.info.address + from.offset), bytes,
                 stream);
    return release(&target, release(&source, error));
}

/* Whether [host, host + bytes) is memory that the host may touch. */
static cudaError_t check_host(const void *host, uint64_t bytes, bool write)
{
    struct um_pointer_info info, last;
    cudaError_t error = um_not_forked();
    if (error == cudaSuccess && bytes > 0)
        error = um_pointer_query(host, &info);
    if (error != cudaSuccess || bytes == 0)
        return error;
    if (info.type == cudaMemoryTypeDevice)
        return um_fail(cudaErrorInvalidValue,
                       "%p is device memory: the host cannot touch it. Name the buffer that holds it instead",
                       host);
    error = um_pointer_query((const char *)host + bytes - 1, &last);
    if (error != cudaSuccess)
        return error;
    if (info.type != last.type)
        return um_fail(cudaErrorInvalidValue,
                       "%p and the %" PRIu64
                       " bytes from there are not all mapped as one: a part of them is CUDA's memory",
                       host, bytes);
    /* Managed pages that are on the GPU are not mapped at the moment, and come when they are touched. */
    if (info.type != cudaMemoryTypeManaged && !um_mapped(host, bytes, write))
        return um_fail(cudaErrorInvalidValue,
                       "%p and the %" PRIu64 " bytes from there are not all mapped in this process%s", host,
                       bytes, write ? " for writing" : "");
    return cudaSuccess;
}

cudaError_t um_copy_from_host(struct um_place to, const void *host, uint64_t bytes, um_stream stream)
{
    struct part target;
    cudaError_t error = check_host(host, bytes, false);
    if (error == cudaSuccess)
        error = hold(&target, to, bytes, stream);
    if (error != cudaSuccess)
        return error;
    return release(&target, copy(pointer(target.info.address + to.offset), host, bytes, stream));
}

cudaError_t um_copy_to_host(void *host, struct um_place from, uint64_t bytes, um_stream stream)
{
    struct part source;
    cudaError_t error = check_host(host, bytes, true);
    if (error == cudaSuccess)
        error = hold(&source, from, bytes, stream);
    if (error != cudaSuccess)
        return error;
    return release(&source, copy(host, pointer(source.info.address + from.offset), bytes, stream));
}

cudaError_t um_prefetch_place(struct um_place at, uint64_t bytes, int device, um_stream stream)
{
    struct part part;
    cudaError_t error = hold(&part, at, bytes, stream);
    if (error != cudaSuccess)
        return error;
    if (part.info.memory != UM_MEMORY_MANAGED)
        error = um_fail(cudaErrorInvalidValue,
                        "only managed memory has pages that move: this buffer stays where it is");
    else if (bytes > 0)
        error = um_called(um_prefetch(pointer(part.info.address + at.offset), bytes,
                                      device < 0 ? cudaCpuDeviceId : device, stream_of(stream)),
                          "cudaMemPrefetchAsync");
    return release(&part, error);
}

/* ---- kernels ---- */

/* Holds `n` elements for a kernel, and finds out what address it follows. */
static cudaError_t hold_for_kernel(struct part *part, struct um_place at, uint64_t n, uint64_t element,
                                   um_stream stream, void **address)
{
    cudaError_t error;
    if (n > UINT64_MAX / element)
        return um_fail(cudaErrorInvalidValue,
                       "%" PRIu64 " elements of %" PRIu64 " bytes are more than there are addresses", n,
                       element);
    error = hold(part, at, n * element, stream);
    if (error != cudaSuccess)
        return error;
    *address = pointer(part->info.device_address + at.offset);
    if (part->info.device_address == 0)
        error = um_fail(cudaErrorInvalidValue, "the device cannot reach the buffer at %#" PRIx64,
                        part->info.address);
    else if ((uintptr_t)*address % sizeof(float) != 0)
        error = um_fail(cudaErrorMisalignedAddress,
                        "a kernel reads floats at multiples of 4 bytes; %p is none", *address);
    return error == cudaSuccess ? error : release(part, error);
}

cudaError_t um_launch_vector_add(struct um_place c, struct um_place a, struct um_place b, uint64_t n,
                                 um_stream stream)
{
    const struct um_place places[3] = {c, a, b};
    struct part parts[3] = {{0}};
    void *p[3] = {NULL};
    cudaError_t error = cudaSuccess;
    int held = 0;
    while (held < 3 && error == cudaSuccess) {
        error = hold_for_kernel(&parts[held], places[held], n, sizeof(float), stream, &p[held]);
        held += error == cudaSuccess;
    }
    if (error == cudaSuccess)
        error = um_called(um_vector_add(p[0], p[1], p[2], n, stream_of(stream)), "um_vector_add");
    while (held > 0)
        error = release(&parts[--held], error);
    return error;
}

cudaError_t um_launch_saxpy(struct um_place y, float factor, struct um_place x, uint64_t n, um_stream stream)
{
    struct part to = {0}, from = {0};
    void *p_y = NULL, *p_x = NULL;
    cudaError_t error = hold_for_kernel(&to, y, n, sizeof(float), stream, &p_y);
    if (error != cudaSuccess)
        return error;
    error = hold_for_kernel(&from, x, n, sizeof(float), stream, &p_x);
    if (error != cudaSuccess)
        return release(&to, error);
    error = um_called(um_saxpy(p_y, factor, p_x, n, stream_of(stream)), "um_saxpy");
    return release(&to, release(&from, error));
}

cudaError_t um_launch_record_move(struct um_place records, float time, uint64_t n, um_stream stream)
{
    struct part part = {0};
    void *p = NULL;
    cudaError_t error = hold_for_kernel(&part, records, n, sizeof(struct um_record), stream, &p);
    if (error != cudaSuccess)
        return error;
    return release(&part, um_called(um_record_move(p, time, n, stream_of(stream)), "um_record_move"));
}

#define FIELD(name_, format_, elements_)                                                                     \
    {                                                                                                        \
        .name = #name_, .format = format_, .offset = offsetof(struct um_record, name_),                      \
        .elements = elements_, .element_bytes = sizeof(((struct um_record *)0)->name_) / (elements_)         \
    }

const struct um_field *um_record_fields(uint64_t *count, uint64_t *record_bytes)
{
    static const struct um_field fields[] = {FIELD(position, "<f4", 3), FIELD(velocity, "<f4", 3),
                                             FIELD(mass, "<f4", 1), FIELD(id, "<u4", 1)};
    *count = sizeof fields / sizeof *fields;
    *record_bytes = sizeof(struct um_record);
    return fields;
}

/* ---- streams ---- */

cudaError_t um_stream_create(um_stream *out)
{
    cudaStream_t stream = NULL;
    cudaError_t error = um_not_forked();
    if (error == cudaSuccess)
        error =
            um_called(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    *out = (um_stream)(uintptr_t)stream;
    return error;
}

cudaError_t um_stream_destroy(um_stream stream)
{
    cudaError_t error = um_not_forked();
    if (error == cudaSuccess)
        error = check_stream(stream);
    if (error == cudaSuccess && stream <= (um_stream)(uintptr_t)cudaStreamPerThread)
        error = um_fail(cudaErrorInvalidResourceHandle,
                        "stream %" PRIu64 " is CUDA's own: it is not destroyed", stream);
    return error != cudaSuccess ? error
                                : um_called(cudaStreamDestroy(stream_of(stream)), "cudaStreamDestroy");
}

cudaError_t um_synchronize(um_stream stream)
{
    cudaError_t error = um_not_forked();
    if (error == cudaSuccess)
        error = check_stream(stream);
    return error != cudaSuccess
               ? error
               : um_called(cudaStreamSynchronize(stream_of(stream)), "cudaStreamSynchronize");
}

cudaError_t um_stream_order(um_stream earlier, um_stream later)
{
    cudaEvent_t event = NULL;
    cudaError_t error = um_not_forked(), last;
    if (error == cudaSuccess)
        error = check_stream(earlier);
    if (error == cudaSuccess)
        error = check_stream(later);
    if (error != cudaSuccess || earlier == later)
        return error;
    error = um_called(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    if (error != cudaSuccess)
        return error;
    error = um_called(cudaEventRecord(event, stream_of(earlier)), "cudaEventRecord");
    if (error == cudaSuccess)
        error = um_called(cudaStreamWaitEvent(stream_of(later), event, 0), "cudaStreamWaitEvent");
    last = um_called(cudaEventDestroy(event),
                     "cudaEventDestroy"); /* CUDA keeps the event until the wait is over */
    return error != cudaSuccess ? error : last;
}

/* ---- questions ---- */

cudaError_t um_pointer_query(const void *address, struct um_pointer_info *out)
{
    struct cudaPointerAttributes it;
    struct um_buffer_info buffer;
    uint64_t offset = 0;
    cudaError_t error = um_not_forked();
    *out = (struct um_pointer_info){.device = -1};
    if (error == cudaSuccess)
        error = um_called(cudaPointerGetAttributes(&it, address), "cudaPointerGetAttributes");
    if (error != cudaSuccess)
        return error;
    out->type = (int32_t)it.type;
    out->host_visible =
        it.type == cudaMemoryTypeUnregistered ? um_mapped(address, 1, false) : it.hostPointer != NULL;
    if (it.type == cudaMemoryTypeUnregistered)
        return cudaSuccess;
    out->device = it.device;
    out->device_address = (uint64_t)(uintptr_t)it.devicePointer;
    out->buffer = um_buffer_find(address, &offset);
    if (out->buffer && um_buffer_describe(out->buffer, &buffer) == cudaSuccess) {
        out->base = buffer.address;
        out->bytes = buffer.bytes;
    }
    return cudaSuccess;
}
