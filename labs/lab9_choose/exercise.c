/**
 * @file exercise.c
 * @brief Lab 9's exercises: exercise.h says what each function has to do, and `make grade LAB=9` checks it.
 */
#include "exercise.h"

// BEGIN SOLUTION
static double line_us(const struct lab9_line *line, double bytes)
{
    return line->us + line->us_per_mib * bytes / 1048576;
}

/* Getting the memory and giving it back. */
static double memory_us(double bytes, enum lab9_kind kind, const struct lab9_machine *machine)
{
    double us = 0;

    if (kind >= LAB9_MANAGED)
        return line_us(&machine->managed_memory, bytes);
    if (kind == LAB9_PAGEABLE || kind == LAB9_PINNED)
        us += line_us(&machine->device_memory, bytes);
    if (kind == LAB9_PINNED || kind == LAB9_MAPPED)
        us += line_us(&machine->pinned_memory, bytes);
    return us;
}

/* Kernels of a round: in the device's memory, or over the bus. */
static double kernels_us(const struct lab9_workload *work, double us_per_mib)
{
    const double floats = (double)work->bytes / sizeof(float) / (double)work->stride;
    const double apart = work->stride < 16 ? 4 * (double)work->stride : 64;

    return work->passes * us_per_mib * floats * apart / 1048576;
}

static double job_us(const struct lab9_workload *work, enum lab9_kind kind,
                     const struct lab9_machine *machine)
{
    const double bytes = (double)work->bytes, rounds = work->rounds;
    const double near = rounds * kernels_us(work, machine->near_us_per_mib);
    const double far = rounds * kernels_us(work, machine->far_us_per_mib);
    const double prefetch = line_us(&machine->prefetch, bytes), copies = work->read_only ? 1 : 2 * rounds;

    switch (kind) {
    case LAB9_PAGEABLE:
        return near + copies * line_us(&machine->pageable_copy, bytes);
    case LAB9_PINNED:
        return near + copies * line_us(&machine->pinned_copy, bytes);
    case LAB9_MAPPED:
        return far;
    case LAB9_PREFETCH:
        return near + 2 * rounds * prefetch;
    default:
        if (lab9_advice(work) == LAB9_STAY)
            return near + 2 * rounds * prefetch;
        return line_us(&machine->advice, bytes) +
               (lab9_advice(work) == LAB9_DUPLICATE ? near + prefetch : far);
    }
}
// END SOLUTION

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    // BEGIN SOLUTION
    const bool fits = workload->bytes <= workload->device_bytes;
    enum lab9_kind best = LAB9_MAPPED;
    double least = -1;

    for (int k = 0; k < LAB9_KINDS; k++) {
        const double us = memory_us((double)workload->bytes, (enum lab9_kind)k, machine) +
                          workload->jobs * job_us(workload, (enum lab9_kind)k, machine);

        if (k == LAB9_MANAGED) /* whoever knows what the driver would have to find out prefetches */
            continue;
        /* What is larger than the device's memory has to stay where it is. */
        if (!fits && k != LAB9_MAPPED && k != LAB9_ADVISED)
            continue;
        if (least < 0 || us < least) {
            least = us;
            best = (enum lab9_kind)k;
        }
    }
    return best;
    // PLACEHOLDER
    // (void)workload, (void)machine; /* your code */
    // return LAB9_KINDS;
    // END SOLUTION
}

// BEGIN SOLUTION
/* A pinned buffer, and the stream of what passes through it. */
struct slot {
    cudaStream_t stream;
    void *buffer;
    char *to;      /* where the chunk that is on its way goes (to the host), or NULL */
    size_t length; /* bytes of it; 0: nothing is on its way */
};

/* An ordinary stream: it keeps behind the legacy stream. */
static cudaError_t slot_make(struct slot *slot, size_t chunk)
{
    const cudaError_t error = cudaStreamCreate(&slot->stream);

    return error != cudaSuccess ? error : cudaMallocHost(&slot->buffer, chunk);
}

static void slot_drop(struct slot *slot)
{
    cudaFreeHost(slot->buffer);
    if (slot->stream)
        cudaStreamDestroy(slot->stream);
}

/* Waits for the chunk that is in the slot, if there is one, and takes it out. */
static cudaError_t slot_finish(struct slot *slot, const struct lab9_pipe *pipe)
{
    const size_t length = slot->length;
    const cudaError_t error = length > 0 ? cudaStreamSynchronize(slot->stream) : cudaSuccess;

    slot->length = 0;
    if (error == cudaSuccess && length > 0 && slot->to)
        pipe->host_copy(slot->to, slot->buffer, length);
    return error;
}

/* Sends a chunk through the slot, without waiting for it. */
static cudaError_t slot_issue(struct slot *slot, char *to, const char *from, size_t length,
                              enum cudaMemcpyKind kind, const struct lab9_pipe *pipe)
{
    const bool up = kind == cudaMemcpyHostToDevice;

    slot->to = up ? NULL : to;
    slot->length = length;
    if (up)
        pipe->host_copy(slot->buffer, from, length);
    return cudaMemcpyAsync(up ? to : slot->buffer, up ? slot->buffer : from, length, kind, slot->stream);
}
// END SOLUTION

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    // BEGIN SOLUTION
    struct slot slot[LAB9_BUFFERS_MAX] = {{0}};
    cudaError_t error = cudaSuccess;
    int next = 0;

    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || pipe->chunk == 0)
        return cudaErrorInvalidValue;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes < pipe->small)
        return cudaMemcpy(to, from, bytes, kind);
    for (int i = 0; i < pipe->buffers && error == cudaSuccess; i++) {
        error = slot_make(&slot[i], pipe->chunk);
    }
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += pipe->chunk) {
        const size_t length = bytes - at < pipe->chunk ? bytes - at : pipe->chunk;

        error = slot_finish(&slot[next], pipe); /* its buffer is free only when its last chunk is through */
        if (error == cudaSuccess)
            error = slot_issue(&slot[next], (char *)to + at, (const char *)from + at, length, kind, pipe);
        next = (next + 1) % pipe->buffers;
    }
    for (int i = 0; i < pipe->buffers; i++) { /* after an error, too: nobody frees what is under way */
        const cudaError_t last = slot_finish(&slot[(next + i) % pipe->buffers], pipe);

        if (error == cudaSuccess)
            error = last;
    }
    for (int i = 0; i < pipe->buffers; i++) {
        slot_drop(&slot[i]);
    }
    return error;
    // PLACEHOLDER
    // (void)to, (void)from, (void)bytes, (void)kind, (void)pipe; /* your code */
    // return cudaErrorNotSupported;
    // END SOLUTION
}
