/**
 * @file engine.cu
 * @brief How fast kernels really run, beside the same work by plain C with OpenMP and by OpenCL on the
 * processor.
 *
 * Each work is done by all in turns, and what is compared are medians: a busy machine then slows all. Bytes
 * counted for vectors: two reads and a write of each element. The kernels are as anybody writes them. What
 * they would gain by saying what they move (umsim.h), as the labs' do, is a row of its own; so is what a
 * launch takes that is measured for the clock, of which there are ever fewer (sim/queue/traffic.h); the
 * others are compared. A C program's arrays have the pages that malloc() gives; in 2 MiB pages it is up to a
 * tenth faster. Kernels' memory is shared by two processes, for which few systems give such pages
 * (/sys/kernel/mm/transparent_hugepage/shmem_enabled).
 */
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"
#include "peers/peers.h"
#include "umsim.h"
#include "work_kernels.h"

enum { SMALL = 16 << 20, LARGE = 128 << 20 };

__global__ void empty()
{
}

/* The peers' in 2 MiB pages, if the system has them; OpenMP's once more in those that malloc() gives. */
static struct bench_arrays host, plain, device;

static void declare(enum bench_work work)
{
    const size_t n = work == BENCH_MATRIX ? (size_t)BENCH_SIDE * BENCH_SIDE : device.n,
                 bytes = n * sizeof(float);
    umsim_kernel_reads(device.a, bytes);
    if (work == BENCH_ADD || work == BENCH_MATRIX)
        umsim_kernel_reads(device.b, bytes);
    umsim_kernel_writes(device.c, work == BENCH_REDUCE ? bytes / BENCH_BLOCK : bytes);
}

static void launch(enum bench_work work)
{
    const unsigned blocks = (unsigned)(device.n / BENCH_BLOCK), tiles = BENCH_SIDE / BENCH_TILE;
    switch (work) {
    case BENCH_ADD:
        add<<<blocks, BENCH_BLOCK>>>(device.c, device.a, device.b, device.n);
        break;
    case BENCH_SAXPY:
        saxpy<<<blocks, BENCH_BLOCK>>>(device.c, 2, device.a, device.n);
        break;
    case BENCH_STRIDE:
        stride<<<BENCH_STRIDE_BLOCKS, BENCH_BLOCK>>>(device.c, 2, device.a, device.n);
        break;
    case BENCH_MATRIX:
        matrix<<<dim3(tiles, tiles), dim3(BENCH_TILE, BENCH_TILE)>>>(device.c, device.a, device.b);
        break;
    case BENCH_REDUCE:
        reduce<<<blocks, BENCH_BLOCK>>>(device.c, device.a, device.n);
        break;
    default:
        for (int i = 0; i < BENCH_LAUNCHES; i++)
            empty<<<1, 1>>>();
    }
}

static double our_us(enum bench_work work, bool declared)
{
    const double start = bench_now_us();
    if (declared)
        declare(work);
    launch(work);
    BENCH_NEED(cudaDeviceSynchronize());
    return bench_now_us() - start;
}

/* After an allocation a launch is not known any more. */
static double measured_us(enum bench_work work)
{
    void *p;
    BENCH_NEED(cudaMalloc(&p, 1));
    BENCH_NEED(cudaFree(p));
    return our_us(work, false);
}

/* The others of its threads wait on their cores for some ms, whoever comes next. */
static double openmp_us(enum bench_work work, const struct bench_arrays *arrays)
{
    const double us = bench_openmp_us(work, arrays);
    usleep(20000);
    return us;
}

static float *host_array(size_t n, size_t period, bool large_pages)
{
    void *p = mmap(NULL, n * sizeof(float), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "no memory for an array of %zu floats\n", n);
        exit(1);
    }
    if (large_pages)
        madvise(p, n * sizeof(float), MADV_HUGEPAGE);
    for (size_t i = 0; i < n; i++)
        ((float *)p)[i] = (float)(i % period);
    return (float *)p;
}

static float *device_array(const float *from, size_t n)
{
    float *p;
    BENCH_NEED(cudaMalloc((void **)&p, n * sizeof *p));
    BENCH_NEED(cudaMemcpy(p, from, n * sizeof *p, cudaMemcpyHostToDevice));
    return p;
}

static void make_arrays(size_t n)
{
    host = (struct bench_arrays){host_array(n, 7, true), host_array(n, 5, true), host_array(n, 3, true), n};
    plain =
        (struct bench_arrays){host_array(n, 7, false), host_array(n, 5, false), host_array(n, 3, false), n};
    device =
        (struct bench_arrays){device_array(host.a, n), device_array(host.b, n), device_array(host.c, n), n};
}

static void drop_arrays()
{
    float *const hosts[] = {host.a, host.b, host.c, plain.a, plain.b, plain.c}, *const devices[] = {device.a,
                                                                                                    device.b,
                                                                                                    device.c};
    for (float *p : hosts)
        munmap(p, host.n * sizeof *p);
    for (float *p : devices)
        BENCH_NEED(cudaFree(p));
}

/* What we and the peer have just left in c is the same: of whole numbers this small, exactly. */
static void compare(const char *name, enum bench_work work)
{
    const size_t n = work == BENCH_MATRIX   ? BENCH_SIDE * BENCH_SIDE
                     : work == BENCH_REDUCE ? host.n / BENCH_BLOCK
                                            : host.n;
    static float part[1 << 20];
    for (size_t first = 0; first < n; first += sizeof part / sizeof part[0]) {
        const size_t count =
            n - first < sizeof part / sizeof part[0] ? n - first : sizeof part / sizeof part[0];
        BENCH_NEED(cudaMemcpy(part, device.c + first, count * sizeof part[0], cudaMemcpyDeviceToHost));
        if (memcmp(part, host.c + first, count * sizeof part[0]) == 0)
            continue;
        fprintf(stderr, "%s: our results are not the peer's\n", name);
        exit(1);
    }
}

/* Both sides' c as it was at the start. */
static void reset()
{
    for (size_t i = 0; i < host.n; i++)
        host.c[i] = (float)(i % 3);
    BENCH_NEED(cudaMemcpy(device.c, host.c, host.n * sizeof(float), cudaMemcpyHostToDevice));
}

struct rates {
    double ours, opencl, openmp, openmp_large, declared, measured;
};

enum { OURS, OPENCL, OPENMP, OPENMP_LARGE, DECLARED, MEASURED, WAYS, MEASURED_RUNS = 5, RUNS_BEFORE = 16 };

/* Medians of as many runs, in turns; the first ones, which find cold memory and compile, are not counted. */
static struct rates measure(const char *name, enum bench_work work, const char *why_no_opencl, bool vector,
                            int runs)
{
    static double us[WAYS][BENCH_RUNS];
    reset();
    our_us(work, false);
    if (vector)
        openmp_us(work, &host);
    else if (!why_no_opencl)
        bench_opencl_us(work);
    if ((vector || !why_no_opencl) && work != BENCH_EMPTY)
        compare(name, work);
    if (vector && !why_no_opencl)
        bench_opencl_us(work);
    for (int i = 0; i < MEASURED_RUNS; i++)
        us[MEASURED][i] = vector ? measured_us(work) : 0;
    for (int i = 0; i < RUNS_BEFORE && work != BENCH_EMPTY;
         i++) /* the next one that is measured is the 32nd */
        our_us(work, false);
    for (int i = 0; i < runs; i++) {
        us[OURS][i] = our_us(work, false);
        us[OPENCL][i] = why_no_opencl ? 0 : bench_opencl_us(work);
        us[OPENMP][i] = vector ? openmp_us(work, &plain) : 0;
        us[OPENMP_LARGE][i] = vector ? openmp_us(work, &host) : 0;
        us[DECLARED][i] = vector ? our_us(work, true) : 0;
    }
    return {bench_median(us[OURS], runs),     bench_median(us[OPENCL], runs),
            bench_median(us[OPENMP], runs),   bench_median(us[OPENMP_LARGE], runs),
            bench_median(us[DECLARED], runs), bench_median(us[MEASURED], MEASURED_RUNS)};
}

static double gbs(double us)
{
    return us > 0 ? 3.0 * (double)host.n * sizeof(float) / us / 1e3 : 0;
}

static void print(const char *work, double ours, double peer, const char *peer_name, const char *why_not,
                  double target)
{
    const struct bench_row row = {work, "GB/s", ours, peer, peer > 0 ? peer_name : why_not, target, 1, 1};
    bench_print(&row);
}

static void vectors(const char *name, enum bench_work work, const char *why_no_opencl)
{
    char title[64];
    const struct rates us = measure(name, work, why_no_opencl, true, BENCH_RUNS);
    snprintf(title, sizeof title, "%s, %zuM floats", name, host.n >> 20);
    print(title, gbs(us.ours), gbs(us.opencl), "PoCL", why_no_opencl, 1);
    print(title, gbs(us.ours), gbs(us.openmp), "C with OpenMP", NULL, 0.95);
    print(title, gbs(us.ours), gbs(us.openmp_large), "the same in 2 MiB pages", NULL, 0);
    print(title, gbs(us.ours), gbs(us.declared), "the same, declared", NULL, 0.95);
    snprintf(title, sizeof title, "%s, %zuM floats, measured", name, host.n >> 20);
    print(title, gbs(us.measured), gbs(us.ours), "the others", NULL, 0);
}

/* Beside one thread an element, again in turns. */
static void grid_stride(const char *why_no_opencl)
{
    static double stride[BENCH_RUNS], plain[BENCH_RUNS];
    const char *name = "saxpy by a grid-stride loop, 16M floats";
    measure("stride", BENCH_STRIDE, "too slow to repeat", true, 1); /* is it right? */
    for (int i = 0; i < RUNS_BEFORE; i++)
        our_us(BENCH_STRIDE, false);
    for (int i = 0; i < BENCH_RUNS; i++) {
        stride[i] = gbs(our_us(BENCH_STRIDE, false));
        plain[i] = gbs(our_us(BENCH_SAXPY, false));
    }
    const double ours = bench_median(stride, BENCH_RUNS);
    print(name, ours, bench_median(plain, BENCH_RUNS), "one thread an element", NULL, 0.9);
    if (!why_no_opencl)
        print(name, ours, gbs(bench_opencl_us(BENCH_STRIDE)), "PoCL, once", NULL, 0);
}

static void barriers(const char *why_no_opencl)
{
    const struct rates product = measure("matrix", BENCH_MATRIX, why_no_opencl, false, 5),
                       sum = measure("reduce", BENCH_REDUCE, why_no_opencl, false, 5),
                       nothing = measure("empty", BENCH_EMPTY, why_no_opencl, false, BENCH_RUNS);
    const double flop = 2.0 * BENCH_SIDE * BENCH_SIDE * BENCH_SIDE / 1e3, elements = (double)host.n / 1e3;
    const struct bench_row rows[] = {
        {"tiled matrix multiply, 512 x 512", "GFLOP/s", flop / product.ours,
         why_no_opencl ? 0 : flop / product.opencl, why_no_opencl ? why_no_opencl : "PoCL", 1, 1, 1},
        {"block reduction, 16M floats", "G/s", elements / sum.ours, why_no_opencl ? 0 : elements / sum.opencl,
         why_no_opencl ? why_no_opencl : "PoCL", 1, 1, 1},
        {"empty launch, back to back", "us", nothing.ours / BENCH_LAUNCHES, nothing.opencl / BENCH_LAUNCHES,
         why_no_opencl ? why_no_opencl : "PoCL", 0.5, 1, 0},
    };
    for (const struct bench_row &row : rows)
        bench_print(&row);
}

int main()
{
    bench_simulator_only();
    make_arrays(SMALL);
    const char *why_no_opencl = bench_opencl_start(&host);
    vectors("vector_add", BENCH_ADD, why_no_opencl);
    vectors("saxpy", BENCH_SAXPY, why_no_opencl);
    grid_stride(why_no_opencl);
    barriers(why_no_opencl);
    drop_arrays();
    make_arrays(LARGE);
    if (!why_no_opencl)
        why_no_opencl = bench_opencl_start(&host);
    vectors("vector_add", BENCH_ADD, why_no_opencl);
    vectors("saxpy", BENCH_SAXPY, why_no_opencl);
    return 0;
}
