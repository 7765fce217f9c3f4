/**
 * @file paths.c
 * @brief Implementation of paths.h: how lab 0 takes and checks each of its measurements.
 */
#include <unistd.h>

#include "paths.h"

#define CALLS 100 /* calls of one kind that are timed together */
#define FILL_VALUE 3.0f

float *h_data;
size_t array_bytes;
static float *h_back;   /* what comes back */
static double data_sum; /* of the host's data */

bool setup(const struct um_options *options)
{
    const size_t n = options->size / sizeof(float);

    array_bytes = options->size;
    UM_NEED(h_data = malloc(options->size));
    UM_NEED(h_back = malloc(options->size));
    um_fill_floats(h_data, n, options->seed);
    for (size_t i = 0; i < n; i++) {
        data_sum += (double)h_data[i];
    }
    return true;
cleanup:
    return false;
}

void teardown(void)
{
    free(h_data);
    free(h_back);
}

/* Ends a row that moved `bytes` bytes. */
static void moved(struct um_row *row, double bytes, bool right)
{
    um_phase_end(row);
    row->bandwidth_gbs = um_gbs(bytes, row->total_us);
    um_row_verified(row, right);
}

static bool same(const struct um_row *row, const void *got)
{
    return um_verify_bytes(row->strategy, got, h_data, row->size_bytes);
}

void copy(struct um_run *run, const char *name, void *to, const void *from, enum cudaMemcpyKind kind)
{
    struct um_row *row = um_row(run, name);

    memset(h_back, 0, run->size);
    um_phase(row, kind == cudaMemcpyDeviceToHost ? UM_PHASE_D2H : UM_PHASE_H2D);
    UM_TRY(cudaMemcpy(to, from, run->size, kind));
    UM_TRY(cudaDeviceSynchronize());
    um_phase_end(row);
    if (kind == cudaMemcpyHostToDevice)
        um_row_copied_h2d(row, run->size);
    if (kind == cudaMemcpyDeviceToHost)
        um_row_copied_d2h(row, run->size);
    UM_TRY(cudaMemcpy(h_back, to, run->size, cudaMemcpyDefault));
    moved(row, (double)run->size, same(row, h_back));
cleanup:
    um_phase_end(row);
}

void both_ways(struct um_run *run, const char *to_device, const char *to_host, float *h_x)
{
    float *d_x = NULL;

    UM_TRY(cudaMalloc((void **)&d_x, run->size));
    memcpy(h_x, h_data, run->size);
    copy(run, to_device, d_x, h_x, cudaMemcpyHostToDevice);
    if (to_host) {
        memset(h_x, 0, run->size);
        copy(run, to_host, h_x, d_x, cudaMemcpyDeviceToHost);
    }
cleanup:
    cudaFree(d_x);
}

void copy_to_peer(struct um_run *run, const char *name, void *to, const void *from)
{
    struct um_row *row = um_row(run, name);

    memset(h_back, 0, run->size);
    um_phase(row, UM_PHASE_MIXED);
    UM_TRY(cudaMemcpyPeer(to, 1, from, 0, run->size));
    UM_TRY(cudaDeviceSynchronize());
    um_phase_end(row);
    UM_TRY(cudaMemcpy(h_back, to, run->size, cudaMemcpyDeviceToHost));
    moved(row, (double)run->size, same(row, h_back));
cleanup:
    um_phase_end(row);
}

void kernel_reads(struct um_run *run, const char *name, const float *x)
{
    struct um_row *row = um_row(run, name);
    double *d_sum = NULL, *d_partials = NULL, sum = 0;

    UM_TRY(cudaMalloc((void **)&d_sum, sizeof *d_sum));
    UM_TRY(cudaMalloc((void **)&d_partials, UM_SUM_BLOCKS * sizeof *d_partials));
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_sum(d_sum, d_partials, x, run->size / sizeof *x, 0));
    UM_TRY(cudaDeviceSynchronize());
    um_phase_end(row);
    UM_TRY(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    moved(row, (double)run->size, um_verify_number(name, sum, data_sum));
cleanup:
    um_phase_end(row);
    cudaFree(d_partials);
    cudaFree(d_sum);
}

static float fill_expected(size_t i, uint64_t seed)
{
    (void)i;
    (void)seed;
    return FILL_VALUE;
}

void kernel_writes(struct um_run *run, const char *name, float *x)
{
    struct um_row *row = um_row(run, name);
    const size_t n = run->size / sizeof *x;

    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_fill(x, FILL_VALUE, n, 0));
    UM_TRY(cudaDeviceSynchronize());
    um_phase_end(row);
    UM_TRY(cudaMemcpy(h_back, x, run->size, cudaMemcpyDefault));
    moved(row, (double)run->size, um_verify_floats(name, h_back, n, run->seed, fill_expected));
cleanup:
    um_phase_end(row);
}

void prefetch(struct um_run *run, const char *name, const float *x, int to)
{
    struct um_row *row = um_row(run, name);

    if (!um_device()->concurrent_managed) {
        um_row_skip(
            row, "this device does not page on demand (concurrentManagedAccess = 0), and so cannot prefetch");
        return;
    }
    um_phase(row, to == cudaCpuDeviceId ? UM_PHASE_D2H : UM_PHASE_H2D);
    UM_TRY(um_prefetch(x, run->size, to, 0)); /* cudaMemPrefetchAsync */
    UM_TRY(cudaDeviceSynchronize());
    um_phase_end(row);
    UM_TRY(cudaMemcpy(h_back, x, run->size, cudaMemcpyDefault));
    moved(row, (double)run->size, same(row, h_back));
cleanup:
    um_phase_end(row);
}

void host_touches(struct um_run *run, const char *name, const float *x)
{
    const size_t stride = (size_t)sysconf(_SC_PAGESIZE) / sizeof *x;
    struct um_row *row = um_row(run, name);
    volatile float sink = 0;

    um_phase(row, UM_PHASE_HOST);
    for (size_t i = 0; i < run->size / sizeof *x; i += stride) {
        sink = x[i];
    }
    (void)sink;
    um_phase_end(row);
    moved(row, (double)run->size, same(row, x));
}

uint64_t *make_ring(size_t bytes, size_t nodes, size_t apart, uint64_t seed)
{
    uint64_t *order = malloc(nodes * sizeof *order), *ring = order ? calloc(1, bytes) : NULL;

    if (ring) {
        um_fill_cycle(order, nodes, seed);
        for (size_t i = 0; i < nodes; i++) {
            ring[i * apart] = order[i] * apart;
        }
    }
    free(order);
    return ring;
}

void chase(struct um_row *row, const uint64_t *ring, const uint64_t *x, size_t nodes)
{
    uint64_t *d_last = NULL, last = UINT64_MAX;

    UM_TRY(cudaMalloc((void **)&d_last, sizeof *d_last));
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_pointer_chase(d_last, x, 0, nodes - 1, 0));
    UM_TRY(cudaDeviceSynchronize());
    um_phase_end(row);
    UM_TRY(cudaMemcpy(&last, d_last, sizeof last, cudaMemcpyDeviceToHost));
    um_extra_number(row, "latency_ns", "one read", "ns", row->total_us * 1e3 / (double)(nodes - 1), 1);
    /* The node before the first: one more step would close the ring. */
    um_row_verified(row, last < row->size_bytes / sizeof last && ring[last] == 0);
cleanup:
    um_phase_end(row);
    cudaFree(d_last);
}

/* Ends a row that made CALLS calls. */
static void called(struct um_row *row, size_t bytes, bool right)
{
    um_phase_end(row);
    row->size_bytes = bytes;
    um_extra_number(row, "call_us", "one call", "us", row->total_us / CALLS, 2);
    um_row_verified(row, right);
}

void small_copies(struct um_run *run, const char *name, int *d_x, int *h_x)
{
    struct um_row *row = um_row(run, name);
    int back = 0;

    *h_x = CALLS;
    um_phase(row, UM_PHASE_H2D);
    for (int i = 0; i < CALLS; i++) {
        UM_TRY(cudaMemcpy(d_x, h_x, sizeof *h_x, cudaMemcpyHostToDevice));
    }
    um_phase_end(row);
    um_row_copied_h2d(row, CALLS * sizeof *h_x);
    UM_TRY(cudaMemcpy(&back, d_x, sizeof back, cudaMemcpyDeviceToHost));
    called(row, sizeof *h_x, um_verify_number(name, back, CALLS));
cleanup:
    um_phase_end(row);
}

void launches(struct um_run *run, int *d_x)
{
    struct um_row *row = um_row(run, "launch and synchronise");
    int count = 0;

    UM_TRY(cudaMemcpy(d_x, &count, sizeof count, cudaMemcpyHostToDevice));
    um_phase(row, UM_PHASE_KERNEL);
    for (int i = 0; i < CALLS; i++) {
        UM_TRY(um_add_one(d_x, 1, 0));
        UM_TRY(cudaDeviceSynchronize());
    }
    um_phase_end(row);
    UM_TRY(cudaMemcpy(&count, d_x, sizeof count, cudaMemcpyDeviceToHost));
    called(row, sizeof *d_x, um_verify_number(row->strategy, count, CALLS));
cleanup:
    um_phase_end(row);
}
