/**
 * @file kernels.cu
 * @brief The kernels of bench/gpu: streams in several shapes, touches of managed memory, checks, and the
 * spinning one.
 */
#include <cuda_runtime.h>

#include "gpu.h"
#ifdef UMLAB_SIM
#include "umsim.h"
#endif

/* ---- streams ---- */

/* What GPU_WIDE asks for exists from compute capability 8.0 on; elsewhere it is a plain load. */
#if !defined(UMLAB_SIM) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
static __device__ inline double2 load_wide(const double2 *p)
{
    double2 value;
    asm volatile("ld.global.L2::256B.v2.f64 {%0, %1}, [%2];"
                 : "=d"(value.x), "=d"(value.y)
                 : "l"(__cvta_generic_to_global(p)));
    return value;
}
#else
static __device__ inline double2 load_wide(const double2 *p)
{
    return *p;
}
#endif

template <int HINT> static __device__ inline double2 load(const double2 *p)
{
    return HINT == GPU_UNCACHED ? __ldcs(p) : HINT == GPU_WIDE ? load_wide(p) : *p;
}

template <int HINT> static __device__ inline void store(double2 *p, double2 value)
{
    if (HINT == GPU_UNCACHED)
        __stcs(p, value);
    else
        *p = value;
}

template <int OP> static __device__ inline double one(double a, double b)
{
    return OP == GPU_MUL     ? GPU_SCALAR * a
           : OP == GPU_ADD   ? a + b
           : OP == GPU_TRIAD ? a + GPU_SCALAR * b
           : OP == GPU_DOT   ? a * b
                             : a;
}

template <int OP> static __device__ inline double2 both(double2 a, double2 b)
{
    double2 c;
    c.x = one<OP>(a.x, b.x);
    c.y = one<OP>(a.y, b.y);
    return c;
}

/* A block works on tiles of blockDim.x * VECTORS vectors: all loads of a tile first, then the stores, each of
 * them consecutive among threads. The last tile, which may not be full, goes one vector at a time. */
template <int OP, int VECTORS, int HINT>
static __device__ inline void stream_once(double2 *c, const double2 *a, const double2 *b, size_t n)
{
    const bool two = OP == GPU_ADD || OP == GPU_TRIAD;
    const size_t tile = (size_t)blockDim.x * VECTORS;

    for (size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        const size_t at = first + threadIdx.x;
        if (first + tile <= n) {
            double2 x[VECTORS], y[VECTORS];
#pragma unroll
            for (int k = 0; k < VECTORS; k++) {
                x[k] = load<HINT>(a + at + (size_t)k * blockDim.x);
                y[k] = two ? load<HINT>(b + at + (size_t)k * blockDim.x) : x[k];
            }
#pragma unroll
            for (int k = 0; k < VECTORS; k++)
                store<HINT>(c + at + (size_t)k * blockDim.x, both<OP>(x[k], y[k]));
        } else {
            for (size_t i = at; i < n; i += blockDim.x)
                c[i] = both<OP>(a[i], two ? b[i] : a[i]);
        }
    }
}

template <int OP, int VECTORS, int HINT>
__global__ void stream_kernel(double2 *c, const double2 *a, const double2 *b, size_t n, unsigned passes)
{
    for (unsigned pass = 0; pass < passes; pass++)
        stream_once<OP, VECTORS, HINT>(c, a, b, n);
}

enum { DOT_THREADS_MAX = 1024 };

static __device__ inline double product(double2 a, double2 b)
{
    return a.x * b.x + a.y * b.y;
}

/* The same walk; a sum for each thread, then one for each block. */
template <int VECTORS, int HINT>
__global__ void dot_kernel(double *sums, const double2 *a, const double2 *b, size_t n)
{
    __shared__ double part[DOT_THREADS_MAX];
    const size_t tile = (size_t)blockDim.x * VECTORS;
    double sum = 0;

    for (size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        const size_t at = first + threadIdx.x;
        if (first + tile <= n) {
            double2 x[VECTORS], y[VECTORS];
#pragma unroll
            for (int k = 0; k < VECTORS; k++) {
                x[k] = load<HINT>(a + at + (size_t)k * blockDim.x);
                y[k] = load<HINT>(b + at + (size_t)k * blockDim.x);
            }
#pragma unroll
            for (int k = 0; k < VECTORS; k++)
                sum += product(x[k], y[k]);
        } else {
            for (size_t i = at; i < n; i += blockDim.x)
                sum += product(a[i], b[i]);
        }
    }
    part[threadIdx.x] = sum;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

static unsigned multiprocessors()
{
    static int count;
    if (count == 0 && cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess)
        count = 1;
    return (unsigned)count;
}

template <int OP, int VECTORS, int HINT>
static void launch(unsigned blocks, const struct gpu_shape *shape, double *c, const double *a,
                   const double *b, size_t n, cudaStream_t stream)
{
    const unsigned threads = shape->threads, passes = shape->passes ? shape->passes : 1;
    const double2 *x = (const double2 *)a, *y = (const double2 *)b;
    if (OP == GPU_DOT)
        dot_kernel<VECTORS, HINT><<<blocks, threads, 0, stream>>>(c, x, y, n);
    else
        stream_kernel<OP, VECTORS, HINT><<<blocks, threads, 0, stream>>>((double2 *)c, x, y, n, passes);
}

template <int OP, int VECTORS>
static void choose_hint(const struct gpu_shape *shape, unsigned blocks, double *c, const double *a,
                        const double *b, size_t n, cudaStream_t stream)
{
    if (shape->hint == GPU_UNCACHED)
        launch<OP, VECTORS, GPU_UNCACHED>(blocks, shape, c, a, b, n, stream);
    else if (shape->hint == GPU_WIDE)
        launch<OP, VECTORS, OP == GPU_COPY ? GPU_WIDE : GPU_PLAIN>(blocks, shape, c, a, b, n, stream);
    else
        launch<OP, VECTORS, GPU_PLAIN>(blocks, shape, c, a, b, n, stream);
}

template <int OP>
static cudaError_t choose_vectors(const struct gpu_shape *shape, unsigned blocks, double *c, const double *a,
                                  const double *b, size_t n, cudaStream_t stream)
{
    switch (shape->vectors) {
    case 1:
        choose_hint<OP, 1>(shape, blocks, c, a, b, n, stream);
        break;
    case 2:
        choose_hint<OP, 2>(shape, blocks, c, a, b, n, stream);
        break;
    case 4:
        choose_hint<OP, 4>(shape, blocks, c, a, b, n, stream);
        break;
    case 8:
        choose_hint<OP, 8>(shape, blocks, c, a, b, n, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

/* One block a multiprocessor is worth trying only with much under way in each thread; wide loads only from
 * the host's memory, which has no caches of its own on the way. */
static bool is_worth_it(const struct gpu_shape &shape, bool mapped)
{
    if (shape.blocks == 1 && (shape.vectors < 4 || shape.hint == GPU_UNCACHED))
        return false;
    return mapped ? shape.hint != GPU_UNCACHED : shape.hint != GPU_WIDE;
}

/* Threads that a multiprocessor has room for. */
enum { RESIDENT = 2048 };

extern "C" unsigned gpu_shapes(struct gpu_shape *shapes, bool mapped)
{
    static const unsigned threads[] = {256, 512, 1024}, vectors[] = {1, 2, 4, 8}, blocks[] = {0, 1, RESIDENT};
    unsigned count = 0;
    for (unsigned t : threads)
        for (unsigned v : vectors)
            for (unsigned b : blocks)
                for (unsigned hint = 0; hint < GPU_HINTS; hint++) {
                    const struct gpu_shape shape = {t, v, b == RESIDENT ? RESIDENT / t : b, hint, 0};
                    if (is_worth_it(shape, mapped) && count < GPU_SHAPES_MAX)
                        shapes[count++] = shape;
                }
    return count;
}

/* The simulator would count whole pages, 64 KiB each, and each once. */
static void declare(enum gpu_op op, const struct gpu_shape *shape, const double *c, const double *a,
                    const double *b, size_t bytes)
{
#ifdef UMLAB_SIM
    const size_t moved = bytes * (shape->passes ? shape->passes : 1);
    umsim_kernel_reads(a, moved);
    if (op == GPU_ADD || op == GPU_TRIAD || op == GPU_DOT)
        umsim_kernel_reads(b, moved);
    if (op != GPU_DOT)
        umsim_kernel_writes(c, moved);
#else
    (void)op, (void)shape, (void)c, (void)a, (void)b, (void)bytes;
#endif
}

extern "C" cudaError_t gpu_stream(enum gpu_op op, const struct gpu_shape *shape, double *c, const double *a,
                                  const double *b, size_t words, unsigned *blocks_out, cudaStream_t stream)
{
    const size_t n = words / 2, tile = (size_t)shape->threads * shape->vectors, tiles = (n + tile - 1) / tile;
    const size_t most = shape->blocks ? (size_t)shape->blocks * multiprocessors() : tiles;
    const unsigned blocks = (unsigned)(tiles < most ? tiles : most);
    if (blocks_out)
        *blocks_out = blocks;
    declare(op, shape, c, a, b, words * sizeof *a);
    switch (op) {
    case GPU_COPY:
        return choose_vectors<GPU_COPY>(shape, blocks, c, a, b, n, stream);
    case GPU_MUL:
        return choose_vectors<GPU_MUL>(shape, blocks, c, a, b, n, stream);
    case GPU_ADD:
        return choose_vectors<GPU_ADD>(shape, blocks, c, a, b, n, stream);
    case GPU_TRIAD:
        return choose_vectors<GPU_TRIAD>(shape, blocks, c, a, b, n, stream);
    case GPU_DOT:
        return choose_vectors<GPU_DOT>(shape, blocks, c, a, b, n, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- data and its checks ---- */

enum { CHECK_THREADS = 256, WORDS_A_PAGE = GPU_PAGE / sizeof(double) };

static unsigned blocks_for(size_t n)
{
    return (unsigned)((n + CHECK_THREADS - 1) / CHECK_THREADS);
}

__global__ void fill_kernel(double *p, size_t n, uint64_t seed)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = gpu_value(seed, i);
}

extern "C" cudaError_t gpu_fill(double *p, size_t words, uint64_t seed, cudaStream_t stream)
{
    fill_kernel<<<blocks_for(words), CHECK_THREADS, 0, stream>>>(p, words, seed);
    return cudaGetLastError();
}

__global__ void count_wrong_kernel(const double *p, size_t n, int op, uint64_t seed, bool stamped,
                                   unsigned long long *wrong)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !(stamped && i % WORDS_A_PAGE == 0) && p[i] != gpu_result((enum gpu_op)op, seed, i))
        atomicAdd(wrong, 1ULL);
}

extern "C" cudaError_t gpu_count_wrong(const double *p, size_t words, enum gpu_op op, uint64_t seed,
                                       bool stamped, unsigned long long *wrong, cudaStream_t stream)
{
    count_wrong_kernel<<<blocks_for(words), CHECK_THREADS, 0, stream>>>(p, words, op, seed, stamped, wrong);
    return cudaGetLastError();
}

__global__ void stamp_kernel(double *p, size_t pages, uint32_t stamp)
{
    const size_t page = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (page < pages)
        p[page * WORDS_A_PAGE] = gpu_stamp_value(stamp, page);
}

extern "C" cudaError_t gpu_stamp(double *p, size_t bytes, uint32_t stamp, cudaStream_t stream)
{
    stamp_kernel<<<blocks_for(bytes / GPU_PAGE), CHECK_THREADS, 0, stream>>>(p, bytes / GPU_PAGE, stamp);
    return cudaGetLastError();
}

__global__ void count_unstamped_kernel(const double *p, size_t pages, uint32_t stamp,
                                       unsigned long long *wrong)
{
    const size_t page = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (page < pages && p[page * WORDS_A_PAGE] != gpu_stamp_value(stamp, page))
        atomicAdd(wrong, 1ULL);
}

extern "C" cudaError_t gpu_count_unstamped(const double *p, size_t bytes, uint32_t stamp,
                                           unsigned long long *wrong, cudaStream_t stream)
{
    count_unstamped_kernel<<<blocks_for(bytes / GPU_PAGE), CHECK_THREADS, 0, stream>>>(p, bytes / GPU_PAGE,
                                                                                       stamp, wrong);
    return cudaGetLastError();
}

/* ---- touches ---- */

#define KIB ((size_t)1024)

/* Where a GPU's faults come from decides how fast the driver serves them: it takes them in batches, fetches
 * the rest of a 64 KiB or 2 MiB piece along with each, and drops what faults twice. So: everything at once,
 * few at a time, one for each piece, in order of addresses or scattered. */
static const struct gpu_touch touches[] = {
    {"all, a thread for 16 bytes", 16, 0, 256, 1, 0, false},
    {"all, 1024 blocks of 256 in turns", 16, 0, 256, 1, 1024, false},
    {"all, a block of 1024 for each 2 MiB", 16, 2048 * KIB, 1024, 1, 0, false},
    {"all, 16 blocks of 1024, 2 MiB each in turns", 16, 2048 * KIB, 1024, 1, 16, false},
    {"a thread for 4 KiB, blocks of 256", 4 * KIB, 0, 256, 1, 0, false},
    {"a thread for 4 KiB, blocks of 32", 4 * KIB, 0, 32, 1, 0, false},
    {"a warp for 4 KiB, 256 blocks of 256, writing", 4 * KIB, 0, 256, 32, 256, true},
    {"a thread for 64 KiB, blocks of 256", 64 * KIB, 0, 256, 1, 0, false},
    {"a thread for 64 KiB, a warp for 2 MiB", 64 * KIB, 0, 32, 1, 0, false},
    {"a thread for 64 KiB, one warp, 2 MiB in turns", 64 * KIB, 0, 32, 1, 1, false},
    {"a thread for 64 KiB, 4 warps, 2 MiB in turns", 64 * KIB, 0, 32, 1, 4, false},
    {"a thread for 64 KiB, 16 warps, 2 MiB in turns", 64 * KIB, 0, 32, 1, 16, false},
};

extern "C" const struct gpu_touch *gpu_touches(unsigned *count)
{
    *count = sizeof touches / sizeof *touches;
    return touches;
}

/* Values are never NaN: the comparison keeps the loads alive, and is never true. */
__global__ void touch_kernel(double *p, size_t bytes, size_t stride, size_t span)
{
    for (size_t first = blockIdx.x * span; first < bytes; first += gridDim.x * span) {
        for (size_t at = first + threadIdx.x * stride; at < first + span && at < bytes;
             at += blockDim.x * stride) {
            const double2 value = *(const double2 *)((const char *)p + at);
            if (value.x + value.y != value.x + value.y)
                p[at / sizeof *p] = 0;
        }
    }
}

/* One thread in `lanes`: it writes its pages' stamps again. */
__global__ void rewrite_kernel(double *p, size_t bytes, size_t stride, unsigned lanes, uint32_t stamp)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x, all = (size_t)gridDim.x * blockDim.x;
    if (thread % lanes)
        return;
    for (size_t at = thread / lanes * stride; at < bytes; at += all / lanes * stride)
        p[at / sizeof *p] = gpu_stamp_value(stamp, at / GPU_PAGE);
}

extern "C" cudaError_t gpu_touch(const struct gpu_touch *how, double *p, size_t bytes, uint32_t stamp,
                                 cudaStream_t stream)
{
    const size_t span = how->span ? how->span : how->threads / how->lanes * how->stride;
    size_t blocks = (bytes + span - 1) / span;
    if (how->blocks && blocks > how->blocks)
        blocks = how->blocks;
    if (how->writes)
        rewrite_kernel<<<(unsigned)blocks, how->threads, 0, stream>>>(p, bytes, how->stride, how->lanes,
                                                                      stamp);
    else
        touch_kernel<<<(unsigned)blocks, how->threads, 0, stream>>>(p, bytes, how->stride, span);
    return cudaGetLastError();
}

/* ---- holding a stream ---- */

/* Long enough to queue what a sample takes, short enough that a mistake does not cost the session. */
#define SPIN_SECONDS 2

__global__ void spin_kernel(volatile unsigned *flags)
{
#ifdef UMLAB_SIM
    /* There a kernel runs when somebody waits for it: after the release. The time that it held the stream it
     * declares. */
    if (flags[0] == 0)
        flags[1] = 1;
#else
    unsigned long long now, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    end += SPIN_SECONDS * 1000000000ULL;
    while (flags[0] == 0) {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        if (now > end) {
            flags[1] = 1;
            break;
        }
    }
#endif
}

/* Of the simulator: steps of a chain through mapped memory, about a microsecond each. More than queueing a
 * sample takes. */
#define SPIN_STEPS 500

extern "C" cudaError_t gpu_spin(unsigned *flags, cudaStream_t stream)
{
#ifdef UMLAB_SIM
    umsim_kernel_chases(flags, SPIN_STEPS);
#endif
    spin_kernel<<<1, 1, 0, stream>>>(flags);
    return cudaGetLastError();
}
