/**
 * @file ways.c
 * @brief The ways to move managed memory that are tried.
 */
#include "managed.h"

#include "um_cuda_compat.h"
#ifdef UMLAB_SIM
#include "umsim.h"
#endif

static cudaError_t waited(const struct managed *m, cudaError_t error)
{
    return error == cudaSuccess ? cudaStreamSynchronize(m->run->stream) : error;
}

cudaError_t managed_move(struct managed *m, int device)
{
    return waited(m, um_prefetch(m->p, m->bytes, device, m->run->stream));
}

/* ---- the kinds of work ---- */

/* One prefetch, or pieces dealt to several streams. */
static cudaError_t prefetch(struct managed *m, const struct managed_way *way, int device)
{
    cudaError_t error = cudaSuccess;
    unsigned turn = 0;
    if (way->piece == 0)
        return managed_move(m, device);
    for (size_t at = 0; at < m->bytes && error == cudaSuccess; at += way->piece) {
        const size_t bytes = m->bytes - at < way->piece ? m->bytes - at : way->piece;
        error = um_prefetch((char *)m->p + at, bytes, device, m->streams[turn++ % (unsigned)way->streams]);
    }
    for (int i = 0; i < way->streams && error == cudaSuccess; i++)
        error = cudaStreamSynchronize(m->streams[i]);
    return error;
}

static cudaError_t prefetch_to_gpu(struct managed *m, const struct managed_way *way)
{
    return prefetch(m, way, 0);
}

static cudaError_t prefetch_to_host(struct managed *m, const struct managed_way *way)
{
    return prefetch(m, way, cudaCpuDeviceId);
}

#if CUDART_VERSION >= 13000
/* Another path of the driver's to the same memory, on a host with one node. */
static cudaError_t prefetch_to_node(struct managed *m, const struct managed_way *way)
{
    const struct cudaMemLocation node = {.type = cudaMemLocationTypeHostNuma, .id = 0};
    (void)way;
    return waited(m, cudaMemPrefetchAsync(m->p, m->bytes, node, 0, m->run->stream));
}
#endif

static cudaError_t gpu_touches_it(struct managed *m, const struct managed_way *way)
{
    return waited(m, gpu_touch(way->touch, m->p, m->bytes, m->stamp, m->run->stream));
}

static cudaError_t gpu_writes_all(struct managed *m, const struct managed_way *way)
{
    (void)way;
    return waited(m, gpu_fill(m->p, m->bytes / sizeof *m->p, MANAGED_WRITTEN, m->run->stream));
}

static int threads_of(const struct managed *m, const struct managed_way *way)
{
    return way->threads && way->threads < m->run->threads ? way->threads : m->run->threads;
}

/* The host's own loop takes time as well, which the simulator does not see: the first touch of a page that
 * has come from elsewhere takes 212 ns on the machines with the H200s (`make fidelity`), of one that was
 * there 10. */
static void tell_of_touches(const struct managed *m, const struct managed_way *way)
{
#ifdef UMLAB_SIM
    const uint64_t touches = m->bytes / GPU_PAGE / (uint64_t)threads_of(m, way);
    umsim_host_work_ns(touches * (way->before == BEFORE_SHARED ? 10 : 212));
#else
    (void)m, (void)way;
#endif
}

static cudaError_t host_reads_pages(struct managed *m, const struct managed_way *way)
{
    m->missed += gpu_host_unstamped(m->p, m->bytes, m->stamp, threads_of(m, way));
    tell_of_touches(m, way);
    return cudaSuccess;
}

static cudaError_t host_writes_pages(struct managed *m, const struct managed_way *way)
{
    gpu_host_stamp(m->p, m->bytes, m->stamp, threads_of(m, way));
    tell_of_touches(m, way);
    return cudaSuccess;
}

/* The engine reads the pages where they are. */
static cudaError_t copy_out(struct managed *m, const struct managed_way *way)
{
    (void)way;
    return waited(m, cudaMemcpyAsync(m->mirror, m->p, m->bytes, cudaMemcpyDefault, m->run->stream));
}

static cudaError_t copy_in(struct managed *m, const struct managed_way *way)
{
    (void)way;
    return waited(m, cudaMemcpyAsync(m->p, m->mirror, m->bytes, cudaMemcpyDefault, m->run->stream));
}

/* ---- the list ---- */

#define RM                                                                                                   \
    {                                                                                                        \
        cudaMemAdviseSetReadMostly, 0                                                                        \
    }
#define REMOTE                                                                                               \
    {                                                                                                        \
        cudaMemAdviseSetPreferredLocation, cudaMemAdviseSetAccessedBy                                        \
    }

static const char to_device[] = "managed to device", to_host[] = "managed to host";

static const struct managed_way fixed[] = {
    {.path = "prefetch to device", .before = BEFORE_HOST, .after = AFTER_GPU, .work = prefetch_to_gpu},
    {to_device, "one prefetch", BEFORE_HOST, AFTER_GPU, prefetch_to_gpu, .piece = 0},
    {to_device, "pieces of 8 MiB on 8 streams", BEFORE_HOST, AFTER_GPU, prefetch_to_gpu, .streams = 8,
     .piece = 8 * GPU_MIB},
    {to_device, "pieces of 32 MiB on 4 streams", BEFORE_HOST, AFTER_GPU, prefetch_to_gpu, .streams = 4,
     .piece = 32 * GPU_MIB},
    {to_device, "pieces of 64 MiB on 2 streams", BEFORE_HOST, AFTER_GPU, prefetch_to_gpu, .streams = 2,
     .piece = 64 * GPU_MIB},
    {to_device, "pieces of 64 MiB on 4 streams", BEFORE_HOST, AFTER_GPU, prefetch_to_gpu, .streams = 4,
     .piece = 64 * GPU_MIB},
    {"pinned copied into managed on the device", NULL, BEFORE_GPU, AFTER_GPU, copy_in, .threads = 0},
    {"prefetch to host", NULL, BEFORE_GPU, AFTER_HOST, prefetch_to_host, .piece = 0},
    {to_host, "one prefetch", BEFORE_GPU, AFTER_HOST, prefetch_to_host, .piece = 0},
    {to_host, "pieces of 4 MiB on 4 streams", BEFORE_GPU, AFTER_HOST, prefetch_to_host, .streams = 4,
     .piece = 4 * GPU_MIB},
#if CUDART_VERSION >= 13000
    {to_host, "one prefetch to the NUMA node", BEFORE_GPU, AFTER_HOST, prefetch_to_node, .piece = 0},
#endif
    {to_host, "pieces of 64 MiB on 2 streams", BEFORE_GPU, AFTER_HOST, prefetch_to_host, .streams = 2,
     .piece = 64 * GPU_MIB},
    {to_host, "4 threads read a word a page", BEFORE_GPU, AFTER_HOST, host_reads_pages, .threads = 4},
    {"managed on the device copied into pinned", NULL, BEFORE_GPU, AFTER_MIRROR, copy_out, .threads = 0},
    {"demand to host", "1 thread, a word a page", BEFORE_GPU, AFTER_HOST, host_reads_pages, .threads = 1},
    {"demand to host, best", "2 threads, a word a page", BEFORE_GPU, AFTER_HOST, host_reads_pages,
     .threads = 2},
    {"demand to host, best", "4 threads, a word a page", BEFORE_GPU, AFTER_HOST, host_reads_pages,
     .threads = 4},
    {"demand to host, best", "8 threads, a word a page", BEFORE_GPU, AFTER_HOST, host_reads_pages,
     .threads = 8},
    {"first touch by device", "all written", BEFORE_FRESH, AFTER_WRITTEN, gpu_writes_all, .threads = 0},
    {"first touch by host", "1 thread, a word a page", BEFORE_FRESH, AFTER_HOST, host_writes_pages,
     .threads = 1},
    {"first touch by host, all threads", "a word a page", BEFORE_FRESH, AFTER_HOST, host_writes_pages,
     .threads = 0},
    {"fresh, prefetch to device", NULL, BEFORE_FRESH, AFTER_GPU, prefetch_to_gpu, .moves_nothing = true},
    {"fresh, prefetch to host", NULL, BEFORE_FRESH, AFTER_HOST, prefetch_to_host, .moves_nothing = true},
    {"ReadMostly, demand read", NULL, BEFORE_ADVISED, AFTER_GPU, gpu_touches_it, .advice = RM},
    {"ReadMostly, prefetch to device", NULL, BEFORE_ADVISED, AFTER_GPU, prefetch_to_gpu, .advice = RM},
    {"ReadMostly, host reads after the device", "1 thread, a word a page", BEFORE_SHARED, AFTER_HOST,
     host_reads_pages, .threads = 1, .advice = RM},
    {"PreferredLocation=host, AccessedBy=device, read", NULL, BEFORE_ADVISED, AFTER_REMOTE, gpu_touches_it,
     .advice = REMOTE},
};

unsigned managed_ways(struct managed_way *ways)
{
    unsigned touches, count = 0;
    const struct gpu_touch *touch = gpu_touches(&touches);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        ways[count] = fixed[i];
        ways[count++].touch = touch;
    }
    ways[count++] = (struct managed_way){"demand to device", touch[0].name, BEFORE_HOST, AFTER_GPU,
                                         gpu_touches_it,     &touch[0],     .threads = 0};
    for (unsigned i = 0; i < touches; i++)
        ways[count++] = (struct managed_way){"demand to device, best", touch[i].name, BEFORE_HOST, AFTER_GPU,
                                             gpu_touches_it,           &touch[i],     .threads = 0};
    return count;
}
