/**
 * @file rules.cu
 * @brief What changes no contents: prefetches, advice, attachment, waiting; and memory that goes and comes.
 */
#include "differential.h"

#include <cstring>

static void prefetches(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, false);
    const int stream = for_a_stream(w, r);

    CALL(w, r, um_prefetch(r->p + where.offset, where.bytes, any_place(w), streams[stream]));
    queued(r, stream);
}

/* The host touches pages, they go to the device, by one way or another, and the host touches them again: what
 * was open to it must have been closed meanwhile. */
static void pages_go_and_come(worker *w, region *r, region *)
{
    const part where = few_pages(w, *r, any_part(w, *r, false));
    const int value = (int)below(w, 256);

    for_the_host(w, r);
    if (r->attached == TO_HOST)
        return;
    host_compares(w, r, where);
    const int stream = for_a_stream(w, r);
    if (below(w, 2))
        CALL(w, r,
             um_prefetch(r->p + where.offset, where.bytes, (int)below(w, (size_t)devices), streams[stream]));
    else {
        note(w, r, where);
        CALL(w, r, cudaMemsetAsync(r->p + where.offset, value, where.bytes, streams[stream]));
        memset(&r->model[where.offset], value, where.bytes);
    }
    queued(r, stream);
    for_the_host(w, r);
    host_compares(w, r, where);
}

/* Each kind of advice, for either side or whichever device, on some of the region. */
static void advises(worker *w, region *r, region *)
{
    static const cudaMemoryAdvise kinds[] = {
        cudaMemAdviseSetReadMostly,          cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
        cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy,   cudaMemAdviseUnsetAccessedBy};
    const part where = any_part(w, *r, false);
    const int side = any_place(w);

    r->advised = true;
    CALL(w, r, um_advise(r->p + where.offset, where.bytes, kinds[below(w, 6)], side));
}

/* To the host alone, to one stream, or to all. */
static void attaches(worker *w, region *r, region *)
{
    static const unsigned flags[] = {cudaMemAttachGlobal, cudaMemAttachHost, cudaMemAttachSingle};
    const unsigned flag = flags[below(w, 3)];

    for_the_host(w, r);
    const int device = (int)below(w, (size_t)devices);
    const int stream = device * STREAMS + (flag == cudaMemAttachSingle ? 1 + (int)below(w, STREAMS - 1)
                                                                       : (int)below(w, STREAMS));
    make_current(w, stream);
    CALL(w, r, cudaStreamAttachMemAsync(streams[stream], r->p, 0, flag));
    r->attached = flag == cudaMemAttachGlobal ? EVERYWHERE : flag == cudaMemAttachHost ? TO_HOST : stream;
    queued(r, stream);
    for_the_host(w, r);
}

void allocate(worker *w, region *r)
{
    static const size_t limits[] = {600, 5000, 5000, 20000, 70000, 400000};
    size_t bytes = 4 + below(w, limits[below(w, sizeof limits / sizeof *limits)]);

    if (below(w, 8) == 0)
        bytes = (2 << 20) + below(w, 1 << 20); /* blocks of its own */
    const bool to_host = below(w, 4) == 0;
    CALL(w, r, cudaMallocManaged((void **)&r->p, bytes, to_host ? cudaMemAttachHost : cudaMemAttachGlobal));
    r->bytes = bytes;
    r->advised = false;
    r->attached = to_host ? TO_HOST : EVERYWHERE;
    const int value = (int)below(w, 256);
    r->model.assign(bytes, (unsigned char)value);
    if (below(w, 2)) {
        memset(r->p, value, bytes);
        return;
    }
    const int stream = for_a_stream(w, r);
    CALL(w, r, cudaMemsetAsync(r->p, value, bytes, streams[stream]));
    queued(r, stream);
}

/* Memory that is got again is often memory that was just freed. */
static void frees_and_allocates(worker *w, region *r, region *)
{
    for_the_host(w, r);
    if (below(w, 4) == 0)
        compare(w, *r, r->p, 0, r->bytes);
    CALL(w, r, cudaFree(r->p));
    allocate(w, r);
    note(w, r, {0, r->bytes});
}

static void waits(worker *w, region *r, region *)
{
    if (below(w, 4) == 0)
        CALL(w, r, cudaDeviceSynchronize());
    else
        for_the_host(w, r);
}

struct host_work {
    region *r;
    part where;
    unsigned char value;
};

static void in_a_stream(void *data)
{
    host_work *it = (host_work *)data;

    for (size_t i = 0; i < it->where.bytes; i++)
        it->r->p[it->where.offset + i] = (unsigned char)(it->value ^ i);
    delete it;
}

/* A function of the host, in a stream's order. */
static void host_functions(worker *w, region *r, region *)
{
    host_work *it = new host_work{r, any_part(w, *r, false), (unsigned char)any(w)};
    const part where = it->where;
    const unsigned char value = it->value;
    const int stream = for_a_stream(w, r);

    note(w, r, where);
    CALL(w, r, cudaLaunchHostFunc(streams[stream], in_a_stream, it));
    queued(r, stream);
    for (size_t i = 0; i < where.bytes; i++)
        r->model[where.offset + i] = (unsigned char)(value ^ i);
}

const kind rule_kinds[] = {{"prefetch", 5, false, prefetches},
                           {"pages go and come", 4, false, pages_go_and_come},
                           {"advice", 6, false, advises},
                           {"attachment", 3, false, attaches},
                           {"cudaFree and cudaMallocManaged", 3, false, frees_and_allocates},
                           {"waiting", 3, false, waits},
                           {"cudaLaunchHostFunc", 3, false, host_functions},
                           {NULL, 0, false, NULL}};
