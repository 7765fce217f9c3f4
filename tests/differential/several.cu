/**
 * @file several.cu
 * @brief What several devices do to regions: one after the other, and at the same time.
 */
#include "differential.h"

/* A stream of each device in which something may be queued on the region now; its device is current then. */
static int stream_of(worker *w, region *r, int device)
{
    const int stream = r->attached >= 0 ? r->attached : device * STREAMS + (int)below(w, STREAMS);

    make_current(w, stream);
    return stream;
}

static void wait_for_all(worker *w, region *r)
{
    for (int device = 0; device < devices; device++) {
        CALL(w, r, cudaSetDevice(device));
        CALL(w, r, cudaDeviceSynchronize());
    }
}

/* A device writes pages, another one takes them, and so on: what was open to the one must have been closed
 * meanwhile. In the end the host looks. */
static void pages_go_round(worker *w, region *r, region *)
{
    part where = few_pages(w, *r, any_part(w, *r, true));
    const unsigned value = (unsigned)any(w);

    where.offset &= ~(sizeof value - 1), where.bytes &= ~(sizeof value - 1);
    for (int turn = 0; turn < 2 * devices && where.bytes; turn++) {
        const int stream = for_a_stream(w, r);
        note(w, r, where);
        adds<<<blocks(where.bytes / sizeof value), BLOCK_SIZE, 0, streams[stream]>>>(
            (unsigned *)(r->p + where.offset), where.bytes / sizeof value, value);
        CALL(w, r, cudaGetLastError());
        queued(r, stream);
        model_adds(r, where, value, 0, 1);
        if (below(w, 2))
            continue;
        for_the_host(w, r);
        pages_are_the_devices(w, *r, where, device_of(stream));
    }
    for_the_host(w, r);
    host_compares(w, r, where);
}

/* Kernels of all devices and the host add to the same words at the same time, by atomics. */
static void all_add_atomically(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned);
    const unsigned value = (unsigned)any(w);
    unsigned *x = (unsigned *)(r->p + where.offset);

    for_the_host(w, r);
    for_a_stream(w, r); /* the region is the devices' */
    for_the_host(w, r);
    note(w, r, where);
    for (int device = 0; device < devices; device++) {
        const int stream = stream_of(w, r, device);
        adds_atomically<<<blocks(count), BLOCK_SIZE, 0, streams[stream]>>>(x, count,
                                                                           value + (unsigned)device);
        CALL(w, r, cudaGetLastError());
        model_adds(r, where, value + (unsigned)device, 0, 1);
    }
    for (size_t i = 0; i < count; i++)
        __atomic_fetch_add(&x[i], 1, __ATOMIC_RELAXED);
    model_adds(r, where, 1, 0, 1);
    wait_for_all(w, r);
    compare(w, *r, r->p + where.offset, where.offset, where.bytes);
}

/* Each its own words, without atomics: on the same pages, at the same time. */
static void all_add_to_neighbours(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned), step = (size_t)devices + 1;
    const unsigned value = (unsigned)any(w);
    volatile unsigned *x = (volatile unsigned *)(r->p + where.offset);

    for_the_host(w, r);
    for_a_stream(w, r);
    for_the_host(w, r);
    note(w, r, where);
    for (int device = 0; device < devices; device++) {
        const int stream = stream_of(w, r, device);
        adds_to_some<<<blocks(count / step + 1), BLOCK_SIZE, 0, streams[stream]>>>(
            (unsigned *)x, count, value + (unsigned)device, (size_t)device, step);
        CALL(w, r, cudaGetLastError());
        model_adds(r, where, value + (unsigned)device, (size_t)device, step);
    }
    for (size_t i = (size_t)devices; i < count; i += step)
        x[i] += value;
    model_adds(r, where, value, (size_t)devices, step);
    wait_for_all(w, r);
    compare(w, *r, r->p + where.offset, where.offset, where.bytes);
}

/* All devices read what may be duplicated, then one of them, or the host, writes, and all read again. */
static void copies_are_ended(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned);
    const unsigned value = (unsigned)any(w);

    r->advised = true;
    CALL(w, r, um_advise(r->p, r->bytes, cudaMemAdviseSetReadMostly, 0));
    for (int device = 0; device < devices; device++) {
        const int stream = for_a_stream(w, r);
        CALL(w, r, um_prefetch(r->p + where.offset, where.bytes, any_place(w), streams[stream]));
        queued(r, stream);
    }
    note(w, r, where);
    const int stream = for_a_stream(w, r);
    adds<<<blocks(count), BLOCK_SIZE, 0, streams[stream]>>>((unsigned *)(r->p + where.offset), count, value);
    CALL(w, r, cudaGetLastError());
    queued(r, stream);
    model_adds(r, where, value, 0, 1);
    for (int device = 0; device < devices; device++) {
        const int next = for_a_stream(w, r);
        adds<<<blocks(count), BLOCK_SIZE, 0, streams[next]>>>((unsigned *)(r->p + where.offset), count, 1);
        CALL(w, r, cudaGetLastError());
        queued(r, next);
        model_adds(r, where, 1, 0, 1);
    }
    for_the_host(w, r);
    host_compares(w, r, where);
    if (below(w, 2))
        CALL(w, r, um_advise(r->p, r->bytes, cudaMemAdviseUnsetReadMostly, 0));
}

const kind several_kinds[] = {{"pages go from device to device", 8, false, pages_go_round},
                              {"all devices add at once, atomically", 3, false, all_add_atomically},
                              {"all devices add at once, to neighbours", 3, false, all_add_to_neighbours},
                              {"duplicates of several devices", 3, false, copies_are_ended},
                              {NULL, 0, false, NULL}};
