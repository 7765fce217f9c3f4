/**
 * @file cost.c
 * @brief Claims about what things cost: pinned memory, alignment, many small transfers, block sizes.
 *
 * Every time is the best of several; conclusions leave a wide margin, so that another machine's figures pass,
 * too.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "finding.h"
#include "kernels.h"
#include "kernels/kernels.h"
#include "um_backend.h"
#include "um_counters.h"
#include "um_time.h"

enum { KiB = 1024, MiB = 1 << 20, BIG = 64 * MiB, ROUNDS = 7 };

/** Microseconds of one cudaMemcpy, the best of several. */
static double copy_us(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    double best = 0;

    for (int i = 0; i < ROUNDS; i++) {
        const double start = um_now_us();
        double us;

        NEED(cudaMemcpy(to, from, bytes, kind));
        us = um_now_us() - start;
        best = i == 0 || us < best ? us : best;
    }
    return best;
}

/* Pinned memory is several times as fast for 64 MiB; for 4 KiB, what the article allocates, it is not faster.
 */
static void pinned_speed(void)
{
    char *d_x = NULL, *pinned = NULL, *ordinary = malloc(BIG);
    double in[2], out[2], small[2];

    CU_ASSERT_PTR_NOT_NULL_FATAL(ordinary);
    memset(ordinary, 1, BIG);
    NEED(cudaMalloc((void **)&d_x, BIG));
    NEED(cudaMallocHost((void **)&pinned, BIG));
    memset(pinned, 1, BIG);
    for (int p = 0; p < 2; p++) {
        char *host = p ? pinned : ordinary;
        in[p] = copy_us(d_x, host, BIG, cudaMemcpyHostToDevice);
        out[p] = copy_us(host, d_x, BIG, cudaMemcpyDeviceToHost);
        small[p] = copy_us(d_x, host, 4 * KiB, cudaMemcpyHostToDevice);
    }
    found_time("pinned-speed: 64 MiB in, ordinary memory", BIG / in[0] / 1e3, "GB/s");
    found_time("pinned-speed: 64 MiB in, pinned memory", BIG / in[1] / 1e3, "GB/s");
    found_time("pinned-speed: 64 MiB out, ordinary memory", BIG / out[0] / 1e3, "GB/s");
    found_time("pinned-speed: 64 MiB out, pinned memory", BIG / out[1] / 1e3, "GB/s");
    found_time("pinned-speed: 4 KiB in, ordinary memory", small[0], "us");
    found_time("pinned-speed: 4 KiB in, pinned memory", small[1], "us");
    FOUND_WHETHER("pinned-speed: 64 MiB: pinned at least 1.5 times as fast, both ways",
                  in[0] > 1.5 * in[1] && out[0] > 1.5 * out[1]);
    FOUND_WHETHER("pinned-speed: 4 KiB: pinned is faster", small[1] < small[0]);
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
    free(ordinary);
}

/** Page faults of this process so far that needed no disk. */
static long host_faults(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

struct faults {
    long touched, fresh, pinned;
    struct um_counters counted;
};

/* Page faults of this process while 64 MiB are copied there. */
static long faults_of_copy(void *host, const void *d_x)
{
    const long before = host_faults();

    NEED(cudaMemcpy(host, d_x, BIG, cudaMemcpyDeviceToHost));
    return host_faults() - before;
}

static void count_faults(void *area)
{
    struct faults *f = area;
    char *touched = malloc(BIG), *fresh = malloc(BIG), *pinned = NULL, *d_x = NULL;
    struct um_counters before;

    if (!touched || !fresh || um_device_ready("claims") >= 0)
        _exit(CHILD_CANNOT);
    memset(touched, 1, BIG);
    NEED(cudaMalloc((void **)&d_x, BIG));
    NEED(cudaMallocHost((void **)&pinned, BIG));
    NEED(cudaMemcpy(touched, d_x, BIG, cudaMemcpyDeviceToHost)); /* the driver's own buffers exist now */
    before = um_counters_now();
    f->touched = faults_of_copy(touched, d_x);
    f->fresh = faults_of_copy(fresh, d_x);
    f->pinned = faults_of_copy(pinned, d_x);
    f->counted = um_counters_difference(before, um_counters_now());
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
    free(touched);
    free(fresh);
}

/* Copies cause no page faults in memory that was written before, pinned or not: something else makes pinned
 * faster. On the simulator its own counters say so; how often its host process really faults is no property
 * of a GPU. */
static void faults_of_copies(void)
{
    struct faults f = {0};

    if (!child_run(count_faults, &f, sizeof f))
        return;
    if (um_is_sim()) {
        found_time("faults-of-copies: GPU fault groups of all three copies",
                   (double)f.counted.gpu_fault_groups, "");
        found_time("faults-of-copies: faults of the host on managed memory", (double)f.counted.cpu_faults,
                   "");
        UM_EQUAL(f.counted.gpu_fault_groups, 0);
        UM_EQUAL(f.counted.cpu_faults, 0);
        return;
    }
    found_time("faults-of-copies: host's page faults, 64 MiB into ordinary memory used before",
               (double)f.touched, "");
    found_time("faults-of-copies: host's page faults, 64 MiB into memory never touched", (double)f.fresh, "");
    found_time("faults-of-copies: host's page faults, 64 MiB into pinned memory", (double)f.pinned, "");
    CU_ASSERT(f.touched < BIG / 4096 / 100 && f.pinned < BIG / 4096 / 100);
}

/* One transfer of 16 MiB against 4,096 of 4 KiB. */
static void few_large_transfers(void)
{
    enum { BYTES = 16 * MiB, PIECE = 4 * KiB };
    char *d_x = NULL, *pinned = NULL;
    double one, many;

    NEED(cudaMalloc((void **)&d_x, BYTES));
    NEED(cudaMallocHost((void **)&pinned, BYTES));
    memset(pinned, 1, BYTES);
    one = copy_us(d_x, pinned, BYTES, cudaMemcpyHostToDevice);
    many = um_now_us();
    for (size_t at = 0; at < BYTES; at += PIECE)
        NEED(cudaMemcpy(d_x + at, pinned + at, PIECE, cudaMemcpyHostToDevice));
    many = um_now_us() - many;
    found_time("few-large-transfers: 16 MiB in one cudaMemcpy", one, "us");
    found_time("few-large-transfers: 16 MiB in 4,096 of them", many, "us");
    FOUND_WHETHER("few-large-transfers: one is at least 5 times as fast", many > 5 * one);
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
}

static double kernels_us(float *d_x, float *host, size_t n, bool there_and_back)
{
    const double start = um_now_us();

    NEED(cudaMemcpy(d_x, host, n * sizeof *host, cudaMemcpyHostToDevice));
    for (int i = 0; i < 10; i++) {
        NEED(claims_add_one(d_x, (unsigned)(n / 256), 256));
        if (there_and_back) {
            NEED(cudaMemcpy(host, d_x, n * sizeof *host, cudaMemcpyDeviceToHost));
            NEED(cudaMemcpy(d_x, host, n * sizeof *host, cudaMemcpyHostToDevice));
        }
    }
    NEED(cudaMemcpy(host, d_x, n * sizeof *host, cudaMemcpyDeviceToHost));
    return um_now_us() - start;
}

/* Ten kernels on data that stay on the device, against ten with a round trip after each. */
static void data_that_stay(void)
{
    const size_t n = 4 * MiB;
    float *d_x = NULL, *pinned = NULL;
    double stay, commute;

    NEED(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    NEED(cudaMallocHost((void **)&pinned, n * sizeof *pinned));
    memset(pinned, 0, n * sizeof *pinned);
    (void)kernels_us(d_x, pinned, n, false);
    stay = kernels_us(d_x, pinned, n, false);
    commute = kernels_us(d_x, pinned, n, true);
    found_time("data-that-stay: 10 kernels on 16 MiB, copied in and out once", stay, "us");
    found_time("data-that-stay: 10 kernels, copied out and in after each", commute, "us");
    FOUND_WHETHER("data-that-stay: staying is at least twice as fast", commute > 2 * stay);
    FOUND("data-that-stay: what 30 increments gave", "%g", (double)pinned[n - 1]);
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
}

/** Microseconds of a kernel that copies n floats, the best of several. */
static double kernel_us(float *out, const float *in, size_t n, unsigned threads)
{
    struct um_gpu_timer timer;
    double best = 0, us = 0;

    NEED(um_gpu_timer_create(&timer));
    for (int i = 0; i < ROUNDS; i++) {
        NEED(um_gpu_timer_start(&timer, 0));
        NEED(claims_copy(out, in, n, threads));
        NEED(um_gpu_timer_stop(&timer, 0));
        NEED(um_gpu_timer_us(&timer, &us));
        best = i == 0 || us < best ? us : best;
    }
    um_gpu_timer_destroy(&timer);
    return best;
}

/* Arrays that begin 4 bytes after a boundary, for reading and for writing. */
static void shifted_by_a_float(void)
{
    const size_t n = 32 * MiB;
    float *in = NULL, *out = NULL;
    double aligned, read_shifted, both_shifted;

    NEED(cudaMalloc((void **)&in, (n + 32) * sizeof *in));
    NEED(cudaMalloc((void **)&out, (n + 32) * sizeof *out));
    NEED(cudaMemset(in, 0, (n + 32) * sizeof *in));
    aligned = kernel_us(out, in, n, 256);
    read_shifted = kernel_us(out, in + 1, n, 256);
    both_shifted = kernel_us(out + 1, in + 1, n, 256);
    FOUND_WHETHER("shifted-by-a-float: cudaMalloc's address is a multiple of 256", (uintptr_t)in % 256 == 0);
    found_time("shifted-by-a-float: a kernel copies 128 MiB, aligned", aligned, "us");
    found_time("shifted-by-a-float: ... reads shifted by 4 bytes: times as long", read_shifted / aligned, "");
    found_time("shifted-by-a-float: ... reads and writes shifted: times as long", both_shifted / aligned, "");
    FOUND_WHETHER("shifted-by-a-float: 30% longer, or more", both_shifted >= 1.3 * aligned);
    NEED(cudaFree(out));
    NEED(cudaFree(in));
}

struct odd {
    cudaError_t launch, synchronize;
};

static void read_odd_address(void *area)
{
    struct odd *o = area;
    char *d_x = NULL;
    float *d_out = NULL;

    NEED(cudaMalloc((void **)&d_x, 64));
    NEED(cudaMalloc((void **)&d_out, sizeof *d_out));
    o->launch = claims_read(d_out, (const float *)(uintptr_t)(d_x + 1));
    o->synchronize = cudaDeviceSynchronize();
}

/* A float at an odd address is no slow access, but none: a GPU has no unaligned loads. */
static void odd_addresses(void)
{
    struct odd o = {cudaSuccess, cudaSuccess};

    if (um_is_sim())
        UM_SKIP("the simulator's kernels run on a processor that reads a float at any address");
    if (!child_run(read_odd_address, &o, sizeof o))
        return;
    FOUND_RESULT("odd-addresses: launch of a kernel that reads a float at an odd address", o.launch);
    FOUND_RESULT("odd-addresses: synchronise", o.synchronize);
}

/* Copies do not mind where they begin. */
static void copies_from_odd_addresses(void)
{
    char *d_x = NULL, *pinned = NULL;
    double aligned, odd;

    NEED(cudaMalloc((void **)&d_x, BIG + 64));
    NEED(cudaMallocHost((void **)&pinned, BIG + 64));
    memset(pinned, 1, BIG + 64);
    aligned = copy_us(d_x, pinned, BIG, cudaMemcpyHostToDevice);
    odd = copy_us(d_x + 1, pinned + 1, BIG, cudaMemcpyHostToDevice);
    found_time("copies-from-odd-addresses: 64 MiB in, aligned", BIG / aligned / 1e3, "GB/s");
    found_time("copies-from-odd-addresses: 64 MiB in, both addresses odd", BIG / odd / 1e3, "GB/s");
    FOUND_WHETHER("copies-from-odd-addresses: 30% longer, or more", odd >= 1.3 * aligned);
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
}

/* Blocks of 32, 256 and 1,024 threads for the same work. */
static void block_sizes(void)
{
    const size_t n = 32 * MiB;
    const unsigned threads[] = {32, 256, 1024};
    float *in = NULL, *out = NULL;

    NEED(cudaMalloc((void **)&in, n * sizeof *in));
    NEED(cudaMalloc((void **)&out, n * sizeof *out));
    NEED(cudaMemset(in, 0, n * sizeof *in));
    for (int i = 0; i < 3; i++) {
        char name[80];
        snprintf(name, sizeof name, "block-sizes: a kernel copies 128 MiB, %u threads a block", threads[i]);
        found_time(name, kernel_us(out, in, n, threads[i]), "us");
    }
    FOUND_RESULT("block-sizes: 2,048 threads a block", claims_copy(out, in, 4096, 2048));
    forget();
    NEED(cudaFree(out));
    NEED(cudaFree(in));
}

/* A transfer takes time, however small. */
static void transfers_take_time(void)
{
    char *d_x = NULL, *host = malloc(BIG);
    double small, large;

    CU_ASSERT_PTR_NOT_NULL_FATAL(host);
    memset(host, 1, BIG);
    NEED(cudaMalloc((void **)&d_x, BIG));
    small = copy_us(d_x, host, 4, cudaMemcpyHostToDevice);
    large = copy_us(host, d_x, BIG, cudaMemcpyDeviceToHost);
    found_time("transfers-take-time: 4 bytes in", small, "us");
    found_time("transfers-take-time: 64 MiB out, ordinary memory", large, "us");
    FOUND_WHETHER("transfers-take-time: 64 MiB take longer than a millisecond", large > 1000);
    NEED(cudaFree(d_x));
    free(host);
}

UM_TESTS("claims: cost", {"pinned-speed", pinned_speed}, {"faults-of-copies", faults_of_copies},
         {"few-large-transfers", few_large_transfers}, {"data-that-stay", data_that_stay},
         {"shifted-by-a-float", shifted_by_a_float}, {"odd-addresses", odd_addresses},
         {"copies-from-odd-addresses", copies_from_odd_addresses}, {"block-sizes", block_sizes},
         {"transfers-take-time", transfers_take_time});
