/**
 * @file order.cu
 * @brief What all operations share: chance, reports, the order of queued work, comparisons.
 */
#include "differential.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#ifdef UMLAB_SIM
#include <umsim.h>
#include <umsim/page.h>
#endif

/* ---- chance ---- */

uint64_t any(worker *w)
{
    w->state ^= w->state >> 12; /* xorshift64* */
    w->state ^= w->state << 25;
    w->state ^= w->state >> 27;
    return w->state * 2685821657736338717u;
}

size_t below(worker *w, size_t end)
{
    return (size_t)(any(w) >> 16) % end;
}

int any_place(worker *w)
{
    const int place = (int)below(w, (size_t)devices + 1);

    return place == devices ? cudaCpuDeviceId : place;
}

part any_part(worker *w, const region &r, bool words)
{
    static const size_t limits[] = {8, 300, 300, 5000, 70000, SIZE_MAX};
    const size_t unit = words ? sizeof(unsigned) : 1,
                 limit = limits[below(w, sizeof limits / sizeof *limits)];
    const size_t units = r.bytes / unit, most = units < limit ? units : limit;
    const size_t count = limit == SIZE_MAX ? units : 1 + below(w, most);

    return {below(w, units - count + 1) * unit, count * unit};
}

part few_pages(worker *w, const region &r, part where)
{
    const size_t offset = where.offset + below(w, where.bytes), left = r.bytes - offset;

    return {offset, left < 5000 ? left : 5000};
}

/* ---- reports ---- */

static std::mutex one_report;

static void report_where(const worker *w, const region *r)
{
    const char *schedule = getenv("UMSIM_SCHED");

    printf("seed %llu, schedule %s, %d threads: thread %d, operation %llu (%s)\n", asked.seed,
           schedule ? schedule : "(its own)", asked.threads, w->number, w->operation, w->name);
    if (!r)
        return;
    printf("  region %d of %zu bytes at %p, attached %d\n", r->number, r->bytes, (void *)r->p, r->attached);
    for (unsigned long long i = r->operations > PAST ? r->operations - PAST : 0; i < r->operations; i++)
        printf("  before: operation %llu, %s, %zu bytes from %zu on\n", r->past[i % PAST].operation,
               r->past[i % PAST].name, r->past[i % PAST].bytes, r->past[i % PAST].offset);
}

[[noreturn]] static void leave()
{
    fflush(stdout);
    _exit(1);
}

void report_byte(const worker *w, const region &r, size_t offset, int expected, int got)
{
    one_report.lock();
    printf("MISMATCH region %d, offset %zu: expected %d, got %d\n", r.number, offset, expected, got);
    report_where(w, &r);
    leave();
}

void report_sum(const worker *w, const region &r, const expected_sum &sum, unsigned long long got)
{
    one_report.lock();
    printf("MISMATCH region %d, offset %zu, the sum of %zu words: expected %llu, got %llu\n", r.number,
           sum.offset, sum.words, sum.expected, got);
    report_where(w, &r);
    leave();
}

void report_call(const worker *w, const region *r, const char *call, const char *why)
{
    one_report.lock();
    printf("MISMATCH %s: %s\n", call, why);
    report_where(w, r);
    leave();
}

void note(const worker *w, region *r, part where)
{
    r->past[r->operations++ % PAST] = {w->name, w->operation, where.offset, where.bytes};
}

/* ---- order ---- */

void make_current(worker *w, int stream)
{
    CALL(w, NULL, cudaSetDevice(device_of(stream)));
}

/* Each way to wait for a stream. */
static void wait(worker *w, region *r, int stream)
{
    cudaEvent_t event;
    cudaError_t error;

    make_current(w, stream);
    switch (below(w, 4)) {
    case 0:
        CALL(w, r, cudaStreamSynchronize(streams[stream]));
        break;
    case 1:
        CALL(w, r, cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        CALL(w, r, cudaEventRecord(event, streams[stream]));
        CALL(w, r, cudaEventSynchronize(event));
        CALL(w, r, cudaEventDestroy(event));
        break;
    case 2:
        while ((error = cudaStreamQuery(streams[stream])) == cudaErrorNotReady) {
        }
        CALL(w, r, error);
        break;
    default:
        CALL(w, r, cudaDeviceSynchronize());
    }
}

void for_the_host(worker *w, region *r)
{
    if (r->pending != IDLE)
        wait(w, r, r->pending);
    r->pending = IDLE;
    for (int i = 0; i < r->sums; i++)
        if (r->found[i] != r->sum[i].expected)
            report_sum(w, *r, r->sum[i], r->found[i]);
    r->sums = 0;
}

/* What is pending on the region is ordered before what `stream` gets next. */
static void order(worker *w, region *r, int stream)
{
    cudaEvent_t event;

    if (r->pending == IDLE || r->pending == stream)
        return;
    if (device_of(r->pending) == device_of(stream) && r->pending % STREAMS + stream % STREAMS == 1 &&
        below(w, 2))
        return; /* a device's default stream and a blocking one wait for each other */
    if (below(w, 4) == 0) {
        for_the_host(w, r);
        return;
    }
    make_current(w, r->pending);
    CALL(w, r, cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CALL(w, r, cudaEventRecord(event, streams[r->pending]));
    make_current(w, stream);
    CALL(w, r, cudaStreamWaitEvent(streams[stream], event, 0));
    CALL(w, r, cudaEventDestroy(event));
}

void queued(region *r, int stream)
{
    r->pending = stream;
}

static void attach_everywhere(worker *w, region *r, int stream)
{
    make_current(w, stream);
    CALL(w, r, cudaStreamAttachMemAsync(streams[stream], r->p, 0, cudaMemAttachGlobal));
    r->attached = EVERYWHERE;
    queued(r, stream);
}

int for_a_stream(worker *w, region *r)
{
    const int stream = r->attached >= 0 ? r->attached : (int)below(w, (size_t)(devices * STREAMS));

    order(w, r, stream);
    if (r->attached == TO_HOST)
        attach_everywhere(w, r, stream);
    make_current(w, stream);
    return stream;
}

int for_one_stream(worker *w, region *r, region *other)
{
    if (other->attached >= 0 && r->attached >= 0 && other->attached != r->attached) {
        order(w, other, other->attached);
        attach_everywhere(w, other, other->attached);
    }
    region *first = other->attached >= 0 ? other : r, *second = first == r ? other : r;
    const int stream = for_a_stream(w, first);
    order(w, second, stream);
    if (second->attached == TO_HOST)
        attach_everywhere(w, second, stream);
    make_current(w, stream);
    return stream;
}

/* ---- comparisons ---- */

void compare(worker *w, const region &r, const unsigned char *seen, size_t offset, size_t bytes)
{
    if (memcmp(seen, &r.model[offset], bytes) == 0)
        return;
    for (size_t i = 0; i < bytes; i++)
        if (seen[i] != r.model[offset + i])
            report_byte(w, r, offset + i, r.model[offset + i], seen[i]);
}

void host_compares(worker *w, region *r, part where)
{
    compare(w, *r, r->p + where.offset, where.offset, where.bytes);
    pages_are_the_hosts(w, *r, where, false);
}

#ifdef UMLAB_SIM
enum { PAGES = 16, PAGE = UMSIM_PAGE_BYTES, BLOCK = 2 << 20 };

/* Compares the residency bar of a few pages. Smaller allocations share their blocks: others' kernels may take
 * the page along. */
static void pages_are(worker *w, const region &r, part where, const char *allowed, const char *who)
{
    char bar[PAGES + 1], why[100];
    const size_t first = where.offset & ~(size_t)(PAGE - 1);
    const size_t pages = (where.offset + where.bytes - first + PAGE - 1) / PAGE;

    if (r.bytes < BLOCK || pages > PAGES)
        return;
    const size_t whole = pages * PAGE < r.bytes - first ? pages * PAGE : r.bytes - first;
    const size_t shown = umsim_residency(r.p + first, whole, bar, PAGES);
    if (shown == pages && strspn(bar, allowed) == pages)
        return;
    snprintf(why, sizeof why, "%s %zu pages from %zu on, which are %s", who, pages, first, bar);
    report_call(w, &r, "umsim_residency", why);
}

void pages_are_the_hosts(worker *w, const region &r, part where, bool written)
{
    pages_are(w, r, where, written ? "H" : "H=", written ? "the host has written" : "the host has read");
}

void pages_are_the_devices(worker *w, const region &r, part where, int device)
{
    umsim_counters all, its;
    const char place[] = {devices > 1 ? (char)('0' + device) : 'G', '\0'};

    umsim_counters_read(&all);
    if (r.advised || all.evictions || !umsim_counters_of(r.p, &its) || its.thrashing || its.remote_maps)
        return;
    pages_are(w, r, where, place, "a kernel has written");
}
#else
void pages_are_the_hosts(worker *, const region &, part, bool)
{
}

void pages_are_the_devices(worker *, const region &, part, int)
{
}
#endif
