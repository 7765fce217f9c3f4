/**
 * @file device.cu
 * @brief What the device does to regions: kernels, also while the host works beside them, copies and sets.
 */
#include "differential.h"

#include <cstring>

static __host__ __device__ unsigned word_of(unsigned seed, size_t i)
{
    return seed + (unsigned)i * 2654435761u;
}

__global__ void writes(unsigned *x, size_t count, unsigned seed)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        x[i] = word_of(seed, i);
}

__global__ void adds(unsigned *x, size_t count, unsigned value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        x[i] += value;
}

__global__ void adds_up(const unsigned *x, size_t count, unsigned long long *sum)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        atomicAdd_system(sum, (unsigned long long)x[i]);
}

__global__ void copies(unsigned char *to, const unsigned char *from, size_t count)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        to[i] = from[i];
}

__global__ void adds_atomically(unsigned *x, size_t count, unsigned value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        atomicAdd_system(&x[i], value);
}

__global__ void adds_to_some(unsigned *x, size_t count, unsigned value, size_t first, size_t step)
{
    const size_t i = first + step * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);

    if (i < count)
        x[i] += value;
}

unsigned blocks(size_t count)
{
    return (unsigned)((count + BLOCK_SIZE - 1) / BLOCK_SIZE);
}

void model_adds(region *r, part where, unsigned value, size_t first, size_t step)
{
    for (size_t i = where.offset + first * sizeof value; i < where.offset + where.bytes;
         i += step * sizeof value) {
        unsigned word;
        memcpy(&word, &r->model[i], sizeof word);
        word += value;
        memcpy(&r->model[i], &word, sizeof word);
    }
}

static void kernel_writes(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned);
    const unsigned seed = (unsigned)any(w);
    const int stream = for_a_stream(w, r);

    note(w, r, where);
    writes<<<blocks(count), BLOCK_SIZE, 0, streams[stream]>>>((unsigned *)(r->p + where.offset), count, seed);
    CALL(w, r, cudaGetLastError());
    queued(r, stream);
    for (size_t i = 0; i < count; i++) {
        const unsigned word = word_of(seed, i);
        memcpy(&r->model[where.offset + i * sizeof word], &word, sizeof word);
    }
    if (below(w, 2))
        return;
    for_the_host(w, r);
    pages_are_the_devices(w, *r, where, device_of(stream));
    host_compares(w, r, few_pages(w, *r, where));
}

static void kernel_adds(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned);
    const unsigned value = (unsigned)any(w);
    const int stream = for_a_stream(w, r);

    note(w, r, where);
    adds<<<blocks(count), BLOCK_SIZE, 0, streams[stream]>>>((unsigned *)(r->p + where.offset), count, value);
    CALL(w, r, cudaGetLastError());
    queued(r, stream);
    model_adds(r, where, value, 0, 1);
}

/* The sum is looked at when somebody waits for the region. */
static void kernel_reads(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned);
    unsigned long long expected = 0;

    if (r->sums == SUMS)
        for_the_host(w, r);
    const int stream = for_a_stream(w, r);
    for (size_t i = where.offset; i < where.offset + where.bytes; i += sizeof(unsigned)) {
        unsigned word;
        memcpy(&word, &r->model[i], sizeof word);
        expected += word;
    }
    r->sum[r->sums] = {expected, where.offset, count};
    r->found[r->sums] = 0;
    adds_up<<<blocks(count), BLOCK_SIZE, 0, streams[stream]>>>((const unsigned *)(r->p + where.offset), count,
                                                               (unsigned long long *)&r->found[r->sums]);
    CALL(w, r, cudaGetLastError());
    r->sums++;
    queued(r, stream);
}

/* A kernel writes pages, the host takes them, a kernel writes them again: what was open to the device must
 * have been closed meanwhile. */
static void pages_come_and_go(worker *w, region *r, region *)
{
    part where = few_pages(w, *r, any_part(w, *r, true));
    const unsigned value = (unsigned)any(w);

    where.offset &= ~(sizeof value - 1), where.bytes &= ~(sizeof value - 1);
    for (int turn = 0; turn < 3 && where.bytes; turn++) {
        const int stream = for_a_stream(w, r);
        note(w, r, where);
        adds<<<blocks(where.bytes / sizeof value), BLOCK_SIZE, 0, streams[stream]>>>(
            (unsigned *)(r->p + where.offset), where.bytes / sizeof value, value);
        CALL(w, r, cudaGetLastError());
        queued(r, stream);
        model_adds(r, where, value, 0, 1);
        for_the_host(w, r);
        pages_are_the_devices(w, *r, where, device_of(stream));
        host_compares(w, r, where);
    }
}

/** A part of `r` and a place in `other` with as many bytes behind it. */
static part common_part(worker *w, const region &r, const region &other, size_t *source)
{
    part where = any_part(w, r, false);

    *source = below(w, other.bytes);
    if (where.bytes > other.bytes - *source)
        where.bytes = other.bytes - *source;
    return where;
}

static void kernel_copies(worker *w, region *r, region *other)
{
    size_t source;
    const part where = common_part(w, *r, *other, &source);
    const int stream = for_one_stream(w, r, other);

    note(w, r, where);
    copies<<<blocks(where.bytes), BLOCK_SIZE, 0, streams[stream]>>>(r->p + where.offset, other->p + source,
                                                                    where.bytes);
    CALL(w, r, cudaGetLastError());
    queued(r, stream);
    queued(other, stream);
    memcpy(&r->model[where.offset], &other->model[source], where.bytes);
}

/* A kernel and the host add to the same words at the same time, by atomics. */
static void both_add_atomically(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned);
    const unsigned theirs = (unsigned)any(w), ours = (unsigned)any(w);
    unsigned *x = (unsigned *)(r->p + where.offset);

    for_the_host(w, r);
    const int stream = for_a_stream(w, r);
    note(w, r, where);
    adds_atomically<<<blocks(count), BLOCK_SIZE, 0, streams[stream]>>>(x, count, theirs);
    CALL(w, r, cudaGetLastError());
    queued(r, stream);
    for (size_t i = 0; i < count; i++)
        __atomic_fetch_add(&x[i], ours, __ATOMIC_RELAXED);
    for_the_host(w, r);
    model_adds(r, where, theirs + ours, 0, 1);
    compare(w, *r, r->p + where.offset, where.offset, where.bytes);
}

/* Each its own words, without atomics: on the same pages, at the same time. */
static void both_add_to_neighbours(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, true);
    const size_t count = where.bytes / sizeof(unsigned);
    const unsigned theirs = (unsigned)any(w), ours = (unsigned)any(w);
    volatile unsigned *x = (volatile unsigned *)(r->p + where.offset);

    for_the_host(w, r);
    const int stream = for_a_stream(w, r);
    note(w, r, where);
    adds_to_some<<<blocks((count + 1) / 2), BLOCK_SIZE, 0, streams[stream]>>>((unsigned *)x, count, theirs, 0,
                                                                              2);
    CALL(w, r, cudaGetLastError());
    queued(r, stream);
    for (size_t i = 1; i < count; i += 2)
        x[i] += ours;
    for_the_host(w, r);
    model_adds(r, where, theirs, 0, 2);
    model_adds(r, where, ours, 1, 2);
    compare(w, *r, r->p + where.offset, where.offset, where.bytes);
}

/* ---- copies and sets ---- */

static part scratch_part(worker *w, const region &r)
{
    part where = any_part(w, r, false);

    if (where.bytes > SCRATCH)
        where.bytes = SCRATCH;
    return where;
}

/* By cudaMemcpy(), or queued and waited for; the copy is compared. */
static void copy_to_host(worker *w, region *r, region *)
{
    const part where = scratch_part(w, *r);
    unsigned char *to = below(w, 2) ? w->pinned : w->pageable;
    const cudaMemcpyKind direction = below(w, 2) ? cudaMemcpyDefault : cudaMemcpyDeviceToHost;
    const int stream = for_a_stream(w, r);

    if (is_default(stream) && below(w, 2))
        CALL(w, r, cudaMemcpy(to, r->p + where.offset, where.bytes, direction));
    else {
        CALL(w, r, cudaMemcpyAsync(to, r->p + where.offset, where.bytes, direction, streams[stream]));
        queued(r, stream);
        for_the_host(w, r);
    }
    compare(w, *r, to, where.offset, where.bytes);
}

/* The source is this thread's own, and changes with its next copy: so a copy from pinned memory is waited
 * for. */
static void copy_from_host(worker *w, region *r, region *)
{
    const part where = scratch_part(w, *r);
    const bool pinned = below(w, 2);
    unsigned char *from = pinned ? w->pinned : w->pageable, value = (unsigned char)any(w);
    const cudaMemcpyKind direction = below(w, 2) ? cudaMemcpyDefault : cudaMemcpyHostToDevice;
    const int stream = for_a_stream(w, r);

    note(w, r, where);
    for (size_t i = 0; i < where.bytes; i++)
        r->model[where.offset + i] = from[i] = (unsigned char)(value + 7 * i);
    if (is_default(stream) && below(w, 2))
        CALL(w, r, cudaMemcpy(r->p + where.offset, from, where.bytes, direction));
    else
        CALL(w, r, cudaMemcpyAsync(r->p + where.offset, from, where.bytes, direction, streams[stream]));
    queued(r, stream);
    if (pinned)
        for_the_host(w, r);
}

/* Through device memory, back into another place of the region. */
static void copy_by_the_device(worker *w, region *r, region *)
{
    const part where = scratch_part(w, *r);
    const size_t to = below(w, r->bytes - where.bytes + 1);
    const int stream = for_a_stream(w, r);

    note(w, r, {to, where.bytes});
    unsigned char *by = w->device[below(w, (size_t)devices)]; /* of whichever device */
    CALL(w, r, cudaMemcpyAsync(by, r->p + where.offset, where.bytes, cudaMemcpyDefault, streams[stream]));
    CALL(w, r, cudaMemcpyAsync(r->p + to, by, where.bytes, cudaMemcpyDefault, streams[stream]));
    queued(r, stream);
    memmove(&r->model[to], &r->model[where.offset], where.bytes);
    for_the_host(w, r); /* the next copy through this memory may be in another stream */
}

static void copy_between_regions(worker *w, region *r, region *other)
{
    size_t source;
    const part where = common_part(w, *r, *other, &source);
    const int stream = for_one_stream(w, r, other);

    note(w, r, where);
    CALL(w, r,
         cudaMemcpyAsync(r->p + where.offset, other->p + source, where.bytes, cudaMemcpyDefault,
                         streams[stream]));
    queued(r, stream);
    queued(other, stream);
    memcpy(&r->model[where.offset], &other->model[source], where.bytes);
}

static void sets(worker *w, region *r, region *)
{
    const part where = any_part(w, *r, false);
    const int value = (int)below(w, 256), stream = for_a_stream(w, r);

    note(w, r, where);
    if (is_default(stream) && below(w, 2))
        CALL(w, r, cudaMemset(r->p + where.offset, value, where.bytes));
    else
        CALL(w, r, cudaMemsetAsync(r->p + where.offset, value, where.bytes, streams[stream]));
    queued(r, stream);
    memset(&r->model[where.offset], value, where.bytes);
}

const kind device_kinds[] = {{"a kernel writes", 8, false, kernel_writes},
                             {"a kernel adds", 8, false, kernel_adds},
                             {"a kernel reads", 8, false, kernel_reads},
                             {"pages come and go", 4, false, pages_come_and_go},
                             {"a kernel copies between regions", 4, true, kernel_copies},
                             {"both sides add at once, atomically", 3, false, both_add_atomically},
                             {"both sides add at once, to neighbours", 3, false, both_add_to_neighbours},
                             {"cudaMemcpy to the host", 4, false, copy_to_host},
                             {"cudaMemcpy from the host", 4, false, copy_from_host},
                             {"cudaMemcpy to device memory and back", 3, false, copy_by_the_device},
                             {"cudaMemcpy between regions", 3, true, copy_between_regions},
                             {"cudaMemset", 4, false, sets},
                             {NULL, 0, false, NULL}};
