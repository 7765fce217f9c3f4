/**
 * @file costs.c
 * @brief Implementation of costs.h: plays a workload as play.c does, on prices instead of memory.
 */
#include <math.h>
#include <stdlib.h>

#include "costs.h"
#include "kernels.h"
#include "umsim_price.h"

/** One job under way. */
struct job {
    const struct lab9_workload *work;
    enum lab9_kind kind;
    size_t n, used; /**< floats; those that a kernel uses */
    struct umsim_price *price;
};

#define GPU 0
#define SUM_BARRIERS 9 /* a block's 256 sums are halved eight times */
/* Counted (UMSIM_EXPLAIN=launch): slots of schedulers for a block of sums, of an element more for each of its
 * threads, and for a block that touches an element a thread. */
#define SUM_SLOTS 1317
#define SUM_MORE_SLOTS 129
#define TOUCH_SLOTS 230
#define BIG_PAGE ((size_t)64 << 10) /* a touch marks as much */

static enum umsim_price_memory memory_of(enum lab9_kind kind)
{
    static const enum umsim_price_memory of[LAB9_KINDS] = {UMSIM_PRICE_PAGEABLE, UMSIM_PRICE_PINNED,
                                                           UMSIM_PRICE_MAPPED,   UMSIM_PRICE_MANAGED,
                                                           UMSIM_PRICE_MANAGED,  UMSIM_PRICE_MANAGED};

    return of[kind];
}

static bool is_copied(const struct job *job)
{
    return job->kind == LAB9_PAGEABLE || job->kind == LAB9_PINNED;
}

/* Whether the array is prefetched to each side before its turn. */
static bool is_prefetched(const struct job *job)
{
    return job->kind == LAB9_PREFETCH || (job->kind == LAB9_ADVISED && lab9_advice(job->work) == LAB9_STAY);
}

static void advise(const struct job *job)
{
    switch (lab9_advice(job->work)) {
    case LAB9_DUPLICATE:
        umsim_price_advise(job->price, cudaMemAdviseSetReadMostly, GPU);
        umsim_price_prefetch(job->price, GPU);
        break;
    case LAB9_STAY:
        umsim_price_advise(job->price, cudaMemAdviseSetPreferredLocation, GPU);
        break;
    default:
        umsim_price_advise(job->price, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
        umsim_price_advise(job->price, cudaMemAdviseSetAccessedBy, GPU);
    }
}

/* The pages that a kernel uses, in managed memory. */
static void touch(const struct job *job)
{
    const struct lab9_workload *work = job->work;
    const size_t apart = work->stride * sizeof(float), unit = apart > BIG_PAGE ? apart : BIG_PAGE;

    if (work->read_only && work->stride > 1) {
        for (size_t i = 0; i < job->used; i++) {
            const size_t place = (size_t)((uint64_t)((uint32_t)i * UINT32_C(2654435769)) * job->n >> 32);

            umsim_price_touch(job->price, place * sizeof(float), false);
        }
        return;
    }
    for (size_t at = 0; at < work->bytes; at += unit) {
        umsim_price_touch(job->price, at, !work->read_only);
    }
}

/* Whether kernels use the array over the link. */
static bool is_in_place(const struct job *job)
{
    return job->kind == LAB9_MAPPED || (job->kind == LAB9_ADVISED && lab9_advice(job->work) == LAB9_IN_PLACE);
}

/* A kernel of a round. Lone touches move whole pieces: over the link, sectors. */
static struct umsim_price_kernel kernel_of(const struct job *job)
{
    const size_t stride = job->work->stride, apart = stride * sizeof(float),
                 fetch = is_in_place(job) ? UM_SECTOR_BYTES : UM_FETCH_BYTES;
    struct umsim_price_kernel kernel = {.blocks = (job->used + UM_BLOCK_THREADS - 1) / UM_BLOCK_THREADS,
                                        .threads = UM_BLOCK_THREADS,
                                        .apart = apart < fetch ? 0 : job->used};

    kernel.waits = (double)job->used / (double)(kernel.blocks * UM_BLOCK_THREADS);
    kernel.slots = TOUCH_SLOTS;
    if (!job->work->read_only) {
        kernel.reads = job->used * (apart < fetch ? apart : fetch);
        kernel.writes = job->used * (apart < UM_SECTOR_BYTES ? apart : UM_SECTOR_BYTES);
    } else if (stride == 1) {
        kernel.reads = job->work->bytes;
        kernel.blocks = kernel.blocks > UM_SUM_BLOCKS ? UM_SUM_BLOCKS : kernel.blocks;
        kernel.waits = (double)job->used / (double)(kernel.blocks * UM_BLOCK_THREADS);
        kernel.barriers = SUM_BARRIERS;
        kernel.slots = SUM_SLOTS;
        if (kernel.waits > 1)
            kernel.slots += (uint32_t)((kernel.waits - 1) * SUM_MORE_SLOTS);
    } else {
        kernel.reads = job->used * fetch;
        kernel.device_reads = job->used * sizeof(uint32_t);
        kernel.device_writes = job->used * sizeof(float);
    }
    return kernel;
}

/* All kernels of a round, waited for. */
static void kernels(const struct job *job)
{
    const struct umsim_price_kernel kernel = kernel_of(
                                        job), /* and, for sums, a kernel that adds up the partial sums */
        last = {.blocks = 1, .threads = UM_BLOCK_THREADS, .barriers = SUM_BARRIERS, .slots = SUM_SLOTS};
    const bool sums = job->work->read_only && job->work->stride == 1;

    touch(job); /* pages that the first kernel finds missing are there for the others */
    for (unsigned pass = 0; pass < job->work->passes; pass++) {
        umsim_price_launch(job->price, &kernel);
        if (sums)
            umsim_price_launch(job->price, &last);
    }
    umsim_price_synchronize(job->price);
}

static void play_round(const struct job *job, unsigned round)
{
    if (is_copied(job) && (round == 0 || !job->work->read_only))
        umsim_price_copy(job->price, cudaMemcpyHostToDevice);
    if (is_prefetched(job))
        umsim_price_prefetch(job->price, GPU);
    kernels(job);
    if (is_copied(job) && !job->work->read_only)
        umsim_price_copy(job->price, cudaMemcpyDeviceToHost);
    if (is_prefetched(job))
        umsim_price_prefetch(job->price, cudaCpuDeviceId);
    umsim_price_host_touches(job->price, !job->work->read_only);
}

/* All rounds, microseconds. From the fifth on they are taken to be like the fourth. */
static double job_us(const struct job *job)
{
    enum { PLAYED = 4 };
    uint64_t before_ns = 0;
    double more = 0;

    if (job->kind == LAB9_ADVISED)
        advise(job);
    for (unsigned round = 0; round < job->work->rounds && round < PLAYED; round++) {
        before_ns = umsim_price_ns(job->price);
        play_round(job, round);
    }
    if (job->work->rounds > PLAYED)
        more = (double)(umsim_price_ns(job->price) - before_ns) * (job->work->rounds - PLAYED);
    return ((double)umsim_price_ns(job->price) + more) / 1e3;
}

/* Whether the device's memory would have to hold the array. */
static bool needs_device(const struct lab9_workload *work, enum lab9_kind kind)
{
    return kind != LAB9_MAPPED && !(kind == LAB9_ADVISED && lab9_advice(work) == LAB9_IN_PLACE);
}

struct lab9_price lab9_price(const struct umsim_profile *machine, const struct lab9_workload *work,
                             enum lab9_kind kind)
{
    struct lab9_price price = {INFINITY, INFINITY};
    struct job job = {.work = work, .kind = kind, .n = work->bytes / sizeof(float)};

    if (work->bytes > work->device_bytes && needs_device(work, kind))
        return price;
    job.used = (job.n - 1) / work->stride + 1;
    job.price = umsim_price_begin(machine, memory_of(kind), work->bytes, work->device_bytes);
    if (!job.price)
        abort();
    price.memory_us = (double)umsim_price_memory_ns(machine, memory_of(kind), work->bytes) / 1e3;
    price.job_us = job_us(&job);
    umsim_price_end(job.price);
    return price;
}
