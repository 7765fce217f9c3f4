/**
 * @file copy_op.c
 * @brief Implementation of copy_op.h: checks copies and memsets, and issues them.
 *
 * What each copy waits for is specified in the CUDA runtime manual's chapter "API synchronization behavior".
 * Where the manual says "may", large pageable copies take the slower choice, and small ones, which are
 * staged, the faster one, as on an H200.
 */
#include "copy_op.h"
#include "level2.h"
#include "../base/clock.h"
#include "kernel_op.h"
#include "unordered.h"
#include "../base/machine.h"
#include "../base/report.h"
#include "../base/sticky.h"
#include "../space/host_memory.h"
#include "../space/transfer.h"
#include "../check/buffers.h"
#include "../check/touches.h"
#include "../model/cost.h"
#include "../space/managed.h"
#include "../space/classify.h"

#include <stdlib.h>
#include <string.h>

struct copy_op {
    struct umsim_op op;
    struct umsim_copy copy;
    struct umsim_classified to, from;
    struct umsim_copy_cost cost;
    enum umsim_copy_path path;
    bool crosses;               /* from one device's memory to another one's */
    struct umsim_op *preceding; /* what it comes after, until it is issued; or NULL */
    char *staged;               /* the contents of a small pageable source when the call was made */
    struct umsim_moved moved;   /* under --check: what it moves, and which call it was */
    unsigned number;            /* under --check: among kernels, if the host may touch it meanwhile; else 0 */
};

struct set_op {
    struct umsim_op op;
    struct umsim_set set;
    struct umsim_classified to;
    struct umsim_moved moved; /* as of copies */
    unsigned number;
};

static size_t extent(size_t pitch, size_t width, size_t rows, size_t slices, size_t slice)
{
    return (slices > 1 ? slice * (slices - 1) : 0) + pitch * (rows - 1) + width;
}

static size_t to_extent(const struct umsim_copy *copy)
{
    return extent(copy->to_pitch, copy->width, copy->rows, copy->slices, copy->to_slice);
}

static size_t from_extent(const struct umsim_copy *copy)
{
    return extent(copy->from_pitch, copy->width, copy->rows, copy->slices, copy->from_slice);
}

static size_t set_extent(const struct umsim_set *set)
{
    return extent(set->pitch, set->width, set->rows, set->slices, set->slice);
}

static size_t at_least_one(size_t slices)
{
    return slices ? slices : 1;
}

/** A copy or a memset of managed memory faults like a kernel whose threads touch 16 bytes each: an H200
 * counts the same for both. */
#define ENGINE_BLOCK_THREADS 256
#define ENGINE_TOUCH 16
#define ENGINE_BLOCK_BYTES (ENGINE_TOUCH * ENGINE_BLOCK_THREADS)

/* Managed pages move to the engine as they move to a kernel that touches them. */
static uint64_t page_in(const struct umsim_op *op, const struct umsim_classified *place, size_t bytes,
                        bool is_write)
{
    struct umsim_paging_work work = {0};
    if (place->kind != UMSIM_CLASS_MANAGED)
        return 0;
    const struct umsim_attributes *attributes = &umsim_machine_of(op->device)->attributes;
    const struct uvm_launch launch = {.blocks = (bytes + ENGINE_BLOCK_BYTES - 1) / ENGINE_BLOCK_BYTES,
                                      .threads_per_block = ENGINE_BLOCK_THREADS,
                                      .touches = (bytes + ENGINE_TOUCH - 1) / ENGINE_TOUCH,
                                      .multiprocessors = (uint32_t)attributes->multiprocessor_count,
                                      .blocks_at_once =
                                          umsim_cost_blocks_at_once(attributes, ENGINE_BLOCK_THREADS, 0)};
    umsim_managed_engine_touch(op->device, place->address, bytes, is_write, &launch, &work);
    if (work.prefetch) /* a device without faults moves whole ranges */
        return umsim_cost_prefetch(&umsim_machine_of(op->device)->costs, 0, &work, false).engine_ns;
    work.first = umsim_handler_sleeps(&umsim_fault_handler, op->issue_ns);
    uint64_t ns = umsim_cost_gpu_faults(&umsim_machine_of(op->device)->costs, &work);
    if (work.gpu_fault_groups)
        umsim_handler_served(&umsim_fault_handler, &umsim_machine_of(op->device)->costs, op->issue_ns + ns);
    return ns;
}

static struct umsim_transfer transfer_of(const struct copy_op *it)
{
    const struct umsim_copy *copy = &it->copy;
    return (struct umsim_transfer){.to = (uintptr_t)copy->to,
                                   .from = (uintptr_t)(it->staged ? it->staged : copy->from),
                                   .staged = it->staged != NULL,
                                   .to_pitch = copy->to_pitch,
                                   .from_pitch = copy->from_pitch,
                                   .width = copy->width,
                                   .rows = copy->rows};
}

/* What an engine reads or writes of the device's memory passes the second level of cache, and takes the place
 * of what launches have left there. How much of it stays, was not measured: none. */
static void pass_cache(const struct umsim_classified *place, size_t bytes)
{
    if (place->kind == UMSIM_CLASS_DEVICE)
        umsim_level2_pass(place->allocation->device, (double)bytes);
}

/* Memory of a graph's that is not there when the engine comes to it. @return whether it is there */
static bool is_there(const struct umsim_op *op, const void *p)
{
    if (!umsim_is_absent(p))
        return true;
    umsim_say(
        "a %s meets memory that a graph takes and frees, at %p, when the graph does not have it: it comes "
        "before the node that takes it, or after what frees it",
        op->what, p);
    umsim_sticky_set(cudaErrorIllegalAddress);
    return false;
}

static void run_copy(struct umsim_op *op)
{
    struct copy_op *it = (struct copy_op *)op;
    const struct umsim_copy *copy = &it->copy;
    if (!umsim_sticky_error() && is_there(op, copy->from) && is_there(op, copy->to)) {
        struct umsim_transfer what = transfer_of(it);
        op->duration_ns += page_in(op, &it->from, from_extent(copy), false);
        op->duration_ns += page_in(op, &it->to, to_extent(copy), true);
        pass_cache(&it->from, from_extent(copy));
        pass_cache(&it->to, to_extent(copy));
        for (size_t slice = 0; slice < at_least_one(copy->slices); slice++) {
            umsim_check_transfer(UMSIM_COPY, &what, it->moved.asked);
            if (!umsim_transfer(UMSIM_COPY, &what))
                umsim_sticky_set(cudaErrorLaunchFailure);
            what.to += copy->to_slice;
            what.from += copy->from_slice;
            what.continues = true;
        }
    }
    umsim_buffers_done(op);
    if (it->number)
        umsim_touches_moved(it->number, &it->moved);
    free(it->staged);
    it->staged = NULL;
}

/* Under unified addressing the bytes go where the pointers say. An H200 refuses only a side that the call
 * says is the device's, and that the device cannot reach. */
static bool direction_fits(enum cudaMemcpyKind kind, const struct umsim_classified *to,
                           const struct umsim_classified *from)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return (!to_device || umsim_is_on_device_side(to)) && (!from_device || umsim_is_on_device_side(from));
}

/* Managed memory counts as the device's, because its pages will be there. The exception is memory whose
 * preferred location is the host: an H200's driver copies it like pageable memory, through its own buffer,
 * though the device could reach it: 256 MiB at 8 GB/s there and 15 back. */
static bool on_host_side(const struct umsim_classified *place, size_t bytes)
{
    struct uvm_attributes managed;
    if (place->kind != UMSIM_CLASS_MANAGED)
        return place->kind <= UMSIM_CLASS_PINNED;
    return umsim_managed_attributes(place->address, bytes, &managed) && managed.preferred_location == UVM_CPU;
}

/* The path that the bytes really take. */
static enum umsim_copy_path path_of(const struct copy_op *it)
{
    const struct umsim_copy *copy = &it->copy;
    bool to_host = on_host_side(&it->to, to_extent(copy));
    bool from_host = on_host_side(&it->from, from_extent(copy));
    if (to_host)
        return from_host ? UMSIM_COPY_HTOH : UMSIM_COPY_DTOH;
    return from_host ? UMSIM_COPY_HTOD : UMSIM_COPY_DTOD;
}

static bool crosses(const struct copy_op *it)
{
    return it->to.kind == UMSIM_CLASS_DEVICE && it->from.kind == UMSIM_CLASS_DEVICE &&
           it->to.allocation->device != it->from.allocation->device;
}

/* Either device's access to the other one's memory is enough (assumed; measured with the current one's). */
static bool goes_by_host(const struct copy_op *it)
{
    const struct umsim_alloc *to = it->to.allocation, *from = it->from.allocation;
    return !umsim_may_reach(to->device, from) && !umsim_may_reach(from->device, to);
}

static struct umsim_copy_cost cost_of(const struct copy_op *it, enum umsim_host_memory host,
                                      const struct umsim_stream *stream)
{
    const struct umsim_peer_copy across = {.bytes = it->op.bytes,
                                           .by_host = it->crosses && goes_by_host(it),
                                           .pulled = it->crosses && stream &&
                                                     stream->device == it->to.allocation->device,
                                           .async = it->copy.async};
    const struct umsim_costs *costs = &umsim_machine_of(umsim_issue_device(stream))->costs;
    if (it->crosses)
        return umsim_cost_copy_to_peer(costs, &umsim_machine.peers, &across);
    return umsim_cost_copy(costs, it->path, host, it->op.bytes, it->copy.async);
}

/* The devices, other than the stream's, whose memory takes part. @return how many */
static unsigned other_devices(const struct copy_op *it, const struct umsim_stream *stream, unsigned list[2])
{
    const struct umsim_classified *both[] = {&it->from, &it->to};
    unsigned count = 0;
    for (int i = 0; i < 2; i++) {
        const unsigned owner =
            both[i]->kind == UMSIM_CLASS_DEVICE ? both[i]->allocation->device : stream->device;
        if (owner != stream->device && (count == 0 || list[0] != owner))
            list[count++] = owner;
    }
    return count;
}

/* A copy that is not asynchronous takes its turn in the legacy streams of all devices whose memory takes
 * part: of copies between devices the runtime's manual says so (cudaMemcpyPeer), of others it is assumed.
 * @return the operation to come after, held; or NULL */
static struct umsim_op *wait_for_devices(const unsigned *device, unsigned count)
{
    struct umsim_op *last = NULL;
    for (unsigned i = 0; i < count; i++) {
        struct umsim_op *op = umsim_op_make(sizeof *op, "wait for peer");
        if (!op)
            continue;
        umsim_op_hold(op);
        umsim_op_issue_after(op, umsim_legacy_stream(device[i]), last);
        if (last)
            umsim_op_drop(last);
        last = op;
    }
    return last;
}

static void devices_wait(const unsigned *device, unsigned count, struct umsim_op *copied)
{
    for (unsigned i = 0; i < count; i++) {
        struct umsim_op *op = umsim_op_make(sizeof *op, "wait for peer");
        if (op)
            umsim_op_issue_after(op, umsim_legacy_stream(device[i]), copied);
    }
}

static const char *const direction_names[] = {
    [UMSIM_COPY_HTOD] = "HtoD",
    [UMSIM_COPY_DTOH] = "DtoH",
    [UMSIM_COPY_DTOD] = "DtoD",
    [UMSIM_COPY_HTOH] = "HtoH",
};

static enum umsim_host_memory host_memory(const struct umsim_classified *host,
                                          const struct umsim_classified *device)
{
    if (host->kind == UMSIM_CLASS_PAGEABLE || host->kind == UMSIM_CLASS_MANAGED)
        return UMSIM_HOST_PAGEABLE;
    if (device->kind == UMSIM_CLASS_MANAGED)
        return UMSIM_HOST_PINNED_TO_MANAGED;
    return host->write_combined ? UMSIM_HOST_WRITE_COMBINED : UMSIM_HOST_PINNED;
}

/* Two H200s refuse to copy another device's pool memory, in whichever stream and direction, that the current
 * device may not reach; but calls that name the devices do it. */
static bool is_addressed(const struct umsim_copy *copy, const struct umsim_classified *place)
{
    return copy->names_devices || copy->in_graph || place->kind != UMSIM_CLASS_DEVICE ||
           !umsim_has_list(place->allocation) || umsim_may_reach(umsim_device(), place->allocation);
}

static cudaError_t check_copy(struct copy_op *it)
{
    const struct umsim_copy *copy = &it->copy;
    if ((unsigned)copy->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (copy->to_pitch < copy->width || copy->from_pitch < copy->width)
        return cudaErrorInvalidPitchValue;
    if (!umsim_classify(copy->to, to_extent(copy), &it->to) ||
        !umsim_classify(copy->from, from_extent(copy), &it->from) ||
        !direction_fits(copy->kind, &it->to, &it->from) || !is_addressed(copy, &it->to) ||
        !is_addressed(copy, &it->from))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t umsim_copy_check(const struct umsim_copy *copy)
{
    struct copy_op it = {.copy = *copy};
    return copy->width == 0 || copy->rows == 0 ? cudaSuccess : check_copy(&it);
}

/* For the trace: 1 + whose memory a side is. Managed pages come to the device that copies them. */
static unsigned char told(const struct umsim_classified *side, bool is_host, const struct umsim_stream *of)
{
    const struct umsim_alloc *own = side->kind == UMSIM_CLASS_DEVICE ? side->allocation : NULL;
    return is_host ? 0 : (unsigned char)(1 + (own ? own->device : umsim_issue_device(of)));
}

/* Copies a small pageable source aside, so that the caller may go on and change it. */
static bool stage(struct copy_op *it)
{
    if (it->cost.host_waits || it->copy.in_graph || it->from.kind != UMSIM_CLASS_PAGEABLE ||
        it->path != UMSIM_COPY_HTOD)
        return true;
    size_t bytes = from_extent(&it->copy);
    it->staged = malloc(bytes);
    return it->staged && umsim_host_read(it->staged, (const void *)it->copy.from, bytes);
}

/* By CUDA's manual such a copy waits for its stream first. So several small copies in a row take longer than
 * one: on an H200 6.5 us each for 4 KiB, 15.2 for 64. The wait is short, and no thread sleeps in it. */
static void wait_for_stream(struct umsim_stream *stream)
{
    uint64_t before = umsim_clock_now();
    umsim_stream_finish(stream);
    if (umsim_clock_now() > before)
        umsim_clock_advance(
            umsim_cost_call(&umsim_machine_of(stream->device)->costs, UMSIM_CALL_SYNCHRONIZE_IDLE));
}

/* The host could read or write managed memory at once, so a call that is not asynchronous waits where any
 * takes part, between two managed arrays, too; and so does an asynchronous one that names a managed array as
 * the host's side to which it copies (tests/programs/course/copies_wait.cu asks a GPU). */
static bool waits_for_managed(const struct copy_op *it)
{
    const bool to = it->to.kind == UMSIM_CLASS_MANAGED, from = it->from.kind == UMSIM_CLASS_MANAGED;
    return it->copy.async ? to && it->copy.kind == cudaMemcpyDeviceToHost : to || from;
}

/* Under --check: compared with what nothing puts in order with it.
 * @param is_managed the host may touch its managed memory meanwhile
 * @return for umsim_touches_moved() */
static unsigned issue_compared(struct umsim_op *op, struct umsim_stream *stream, struct umsim_op *after,
                               const struct umsim_moved *moved, bool is_plain, bool is_managed)
{
    const bool compared = is_plain && umsim_unordered_asked();
    if (compared)
        umsim_unordered_begin_moved(op, moved);
    umsim_op_issue_after(op, stream, after);
    if (compared)
        umsim_unordered_issued(op);
    if (!compared || !is_managed || op->state >= UMSIM_OP_RAN)
        return 0;
    umsim_managed_close_host();
    return umsim_touches_issued_moved();
}

cudaError_t umsim_copy_issue(const struct umsim_copy *copy, struct umsim_stream *stream)
{
    if (copy->width == 0 || copy->rows == 0)
        return cudaSuccess;
    struct copy_op *it = umsim_op_make(sizeof *it, "memcpy");
    if (!it)
        return cudaErrorMemoryAllocation;
    it->copy = *copy;
    it->moved.asked = umsim_check_asked();
    cudaError_t error = check_copy(it);
    it->op.bytes = (uint64_t)copy->width * copy->rows * at_least_one(copy->slices);
    if (!error) {
        it->path = path_of(it);
        const bool up = it->path == UMSIM_COPY_HTOD;
        const enum umsim_host_memory host =
            up ? host_memory(&it->from, &it->to) : host_memory(&it->to, &it->from);
        it->crosses = crosses(it);
        it->cost = cost_of(it, host, stream);
        if (!stage(it))
            error = cudaErrorMemoryAllocation;
    }
    if (error) {
        umsim_op_drop(&it->op);
        return error;
    }
    if (it->path == UMSIM_COPY_HTOD && it->from.kind == UMSIM_CLASS_PAGEABLE && !copy->async &&
        !copy->in_graph)
        wait_for_stream(stream);
    it->op.run = run_copy;
    it->op.detail = it->crosses ? "PtoP" : direction_names[it->path];
    it->op.device_is_set = it->crosses;
    it->op.device = it->crosses ? it->from.allocation->device : 0;
    it->op.reads = told(&it->from, it->path == UMSIM_COPY_HTOD || it->path == UMSIM_COPY_HTOH, stream);
    it->op.writes = told(&it->to, it->path == UMSIM_COPY_DTOH || it->path == UMSIM_COPY_HTOH, stream);
    it->op.engine = it->cost.engine;
    it->op.duration_ns = it->cost.engine_ns;
    if (it->cost.engine == UMSIM_ENGINE_PEER)
        umsim_op_crosses(&it->op, it->op.device, it->to.allocation->device, it->cost.engine_ns);
    if (!copy->in_graph)
        umsim_clock_advance(it->cost.issue_ns);
    struct umsim_copy_cost cost = it->cost;
    cost.host_waits |= waits_for_managed(it);
    struct umsim_op *op = umsim_op_hold(&it->op);
    unsigned others[2] = {0}, count = 0;
    if (umsim_devices > 1 && !copy->async && !copy->in_graph)
        count = other_devices(it, stream, others);
    it->preceding = wait_for_devices(others, count);
    const bool goes_on = copy->async && !cost.host_waits && cost.engine != UMSIM_ENGINE_NONE,
               is_managed = it->to.kind == UMSIM_CLASS_MANAGED || it->from.kind == UMSIM_CLASS_MANAGED;
    it->moved.what = transfer_of(it);
    if (goes_on && copy->slices <= 1)
        umsim_buffers_issued(op, &it->moved.what, it->moved.asked);
    it->number = issue_compared(op, stream, it->preceding, &it->moved, !copy->in_graph && copy->slices <= 1,
                                goes_on && is_managed);
    devices_wait(others, count, op);
    if (it->preceding)
        umsim_op_drop(it->preceding);
    if (!copy->in_graph)
        umsim_clock_advance(cost.held_ns);
    if (!copy->in_graph && (cost.host_waits || cost.engine == UMSIM_ENGINE_NONE)) {
        umsim_queue_finish(op);
        umsim_clock_wait_until(op->end_ns);
        umsim_clock_advance(cost.return_ns);
    }
    umsim_op_drop(op);
    return umsim_sticky_error();
}

static struct umsim_transfer transfer_of_set(const struct umsim_set *set)
{
    return (struct umsim_transfer){.to = (uintptr_t)set->to,
                                   .to_pitch = set->pitch,
                                   .width = set->width,
                                   .rows = set->rows,
                                   .value = set->value,
                                   .element = set->element};
}

static void run_set(struct umsim_op *op)
{
    struct set_op *it = (struct set_op *)op;
    const struct umsim_set *set = &it->set;
    if (it->number)
        umsim_touches_moved(it->number, &it->moved);
    if (umsim_sticky_error() || !is_there(op, set->to))
        return;
    op->duration_ns += page_in(op, &it->to, set_extent(set), true);
    pass_cache(&it->to, set_extent(set));
    struct umsim_transfer what = transfer_of_set(set);
    for (size_t slice = 0; slice < at_least_one(set->slices); slice++, what.to += set->slice) {
        umsim_check_transfer(UMSIM_SET, &what, it->moved.asked);
        if (!umsim_transfer(UMSIM_SET, &what))
            umsim_sticky_set(cudaErrorLaunchFailure);
    }
}

cudaError_t umsim_set_issue(const struct umsim_set *set, struct umsim_stream *stream)
{
    if (set->width == 0 || set->rows == 0)
        return cudaSuccess;
    struct umsim_classified to;
    if (set->pitch < set->width || !umsim_classify(set->to, set_extent(set), &to) ||
        !umsim_is_on_device_side(&to))
        return cudaErrorInvalidValue;
    if (to.kind == UMSIM_CLASS_DEVICE && !umsim_may_reach(umsim_issue_device(stream), to.allocation))
        return cudaErrorInvalidValue; /* the stream's device fills it, so that has to reach it */
    struct set_op *it = umsim_op_make(sizeof *it, "memset");
    if (!it)
        return cudaErrorMemoryAllocation;
    it->set = *set;
    it->to = to;
    it->moved.asked = umsim_check_asked();
    it->op.bytes = (uint64_t)set->width * set->rows * at_least_one(set->slices);
    struct umsim_copy_cost cost =
        umsim_cost_copy(&umsim_machine_of(umsim_issue_device(stream))->costs, UMSIM_COPY_MEMSET,
                        UMSIM_HOST_PINNED, it->op.bytes, set->async);
    it->op.run = run_set;
    it->op.engine = cost.engine;
    it->op.duration_ns = cost.engine_ns;
    if (!set->in_graph)
        umsim_clock_advance(cost.issue_ns);
    /* the host could read the result at once */
    const bool waits =
        (to.kind == UMSIM_CLASS_PINNED || to.kind == UMSIM_CLASS_MANAGED) && !set->async && !set->in_graph;
    struct umsim_op *op = umsim_op_hold(&it->op);
    it->moved.what = transfer_of_set(set);
    it->number = issue_compared(op, stream, NULL, &it->moved, !set->in_graph && set->slices <= 1,
                                set->async && to.kind == UMSIM_CLASS_MANAGED);
    if (waits) {
        umsim_queue_finish(op);
        umsim_clock_wait_until(op->end_ns);
    }
    umsim_op_drop(op);
    return umsim_sticky_error();
}
