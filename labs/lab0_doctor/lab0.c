/**
 * @file lab0.c
 * @brief Lab 0: what can this machine's memory system do?
 *
 * The lab first prints what CUDA says about the machine (machine.c): attributes, sizes, which memory can be
 * had. Then it prints one row for each path that data can take: the bytes moved in a second, the time of one
 * access, or the time of one call. Every later lab is about choosing between these paths; this lab measures
 * each one alone.
 *
 *     make doctor
 *     make lab0 ARGS="--strategy pinned,mapped --size 256M"
 */
#include "devices.h"
#include "machine.h"
#include "paths.h"

static void pageable(struct um_run *run)
{
    float *h_x = malloc(run->size);

    if (h_x)
        both_ways(run, "pageable to device", "device to pageable", h_x);
    free(h_x);
}

static void pinned(struct um_run *run)
{
    float *h_x = NULL;

    UM_TRY(cudaMallocHost((void **)&h_x, run->size));
    both_ways(run, "pinned to device", "device to pinned", h_x);
cleanup:
    cudaFreeHost(h_x);
}

/* The host should only write to write-combined memory: reading it back takes very long. */
static void write_combined(struct um_run *run)
{
    float *h_x = NULL;

    UM_TRY(cudaHostAlloc((void **)&h_x, run->size, cudaHostAllocWriteCombined));
    both_ways(run, "write-combined to device", NULL, h_x);
cleanup:
    cudaFreeHost(h_x);
}

static void device(struct um_run *run)
{
    float *d_x = NULL, *d_y = NULL;

    UM_TRY(cudaMalloc((void **)&d_x, run->size));
    UM_TRY(cudaMalloc((void **)&d_y, run->size));
    UM_TRY(cudaMemcpy(d_x, h_data, run->size, cudaMemcpyHostToDevice));
    copy(run, "device to device", d_y, d_x, cudaMemcpyDeviceToDevice);
    kernel_reads(run, "kernel reads device", d_x);
    kernel_writes(run, "kernel writes device", d_x);
cleanup:
    cudaFree(d_y);
    cudaFree(d_x);
}

static void mapped(struct um_run *run)
{
    float *h_x = NULL, *d_x = NULL;

    if (!um_device()->can_map_host) {
        um_row_skip(um_row(run, NULL), "this device cannot map host memory (canMapHostMemory = 0)");
        return;
    }
    UM_TRY(cudaHostAlloc((void **)&h_x, run->size, cudaHostAllocMapped));
    UM_TRY(cudaHostGetDevicePointer((void **)&d_x, h_x, 0));
    memcpy(h_x, h_data, run->size);
    kernel_reads(run, "kernel reads mapped", d_x);
    kernel_writes(run, "kernel writes mapped", d_x);
cleanup:
    cudaFreeHost(h_x);
}

static void managed(struct um_run *run)
{
    float *x = NULL;

    if (!um_device()->managed) {
        um_row_skip(um_row(run, NULL), "this device has no managed memory (managedMemory = 0)");
        return;
    }
    UM_TRY(cudaMallocManaged((void **)&x, run->size, cudaMemAttachGlobal));
    memcpy(x, h_data, run->size);
    kernel_reads(run, "kernel reads managed, first", x);
    kernel_reads(run, "kernel reads managed, again", x);
    host_touches(run, "host reads it back", x);
    prefetch(run, "prefetch to device", x, 0);
    prefetch(run, "prefetch to host", x, cudaCpuDeviceId);
cleanup:
    cudaFree(x);
}

/* Device 1 is where the data goes: through the host as long as nobody may reach anybody, then over the link.
 * Device 0's kernel is the one that reads in place. */
static void peers(struct um_run *run)
{
    float *d_x = NULL, *d_far = NULL;
    int may = 0;

    UM_TRY(cudaMalloc((void **)&d_x, run->size));
    UM_TRY(cudaMemcpy(d_x, h_data, run->size, cudaMemcpyHostToDevice));
    UM_TRY(cudaSetDevice(1));
    UM_TRY(cudaMalloc((void **)&d_far, run->size));
    UM_TRY(cudaSetDevice(0));
    copy_to_peer(run, "device 0 to 1, by the host", d_far, d_x);
    UM_TRY(cudaDeviceCanAccessPeer(&may, 0, 1));
    if (!may) {
        um_row_skip(um_row(run, "device 0 to 1, over the link"),
                    "device 0 cannot reach device 1's memory (cudaDeviceCanAccessPeer says 0)");
    } else {
        UM_TRY(reach(0, 1, true));
        copy_to_peer(run, "device 0 to 1, over the link", d_far, d_x);
        kernel_reads(run, "kernel of 0 reads device 1", d_far);
        kernel_writes(run, "kernel of 0 writes device 1", d_far);
        UM_TRY(reach(0, 1, false));
    }
cleanup:
    (void)cudaSetDevice(0);
    cudaFree(d_far);
    cudaFree(d_x);
}

static void latency_of_device(struct um_run *run, const uint64_t *ring, size_t nodes)
{
    struct um_row *row = um_row(run, "latency of device");
    uint64_t *d_ring = NULL;

    UM_TRY(cudaMalloc((void **)&d_ring, run->size));
    UM_TRY(cudaMemcpy(d_ring, ring, run->size, cudaMemcpyHostToDevice));
    chase(row, ring, d_ring, nodes);
cleanup:
    cudaFree(d_ring);
}

static void latency_of_mapped(struct um_run *run, const uint64_t *ring, size_t nodes)
{
    struct um_row *row = um_row(run, "latency of mapped");
    uint64_t *h_ring = NULL, *d_ring = NULL;

    if (!um_device()->can_map_host) {
        um_row_skip(row, "this device cannot map host memory (canMapHostMemory = 0)");
        return;
    }
    UM_TRY(cudaHostAlloc((void **)&h_ring, run->size, cudaHostAllocMapped));
    UM_TRY(cudaHostGetDevicePointer((void **)&d_ring, h_ring, 0));
    memcpy(h_ring, ring, run->size);
    chase(row, ring, d_ring, nodes);
cleanup:
    cudaFreeHost(h_ring);
}

static void latency(struct um_run *run)
{
    const size_t words = run->size / sizeof(uint64_t), nodes = words / 16 < NODES ? words / 16 : NODES;
    uint64_t *ring = make_ring(run->size, nodes, words / nodes, run->seed);

    UM_NEED(ring);
    latency_of_device(run, ring, nodes);
    latency_of_mapped(run, ring, nodes);
cleanup:
    free(ring);
}

/* What the shortest operations cost: below this, the number of bytes hardly matters. */
static void calls(struct um_run *run)
{
    int *h_x = NULL, *d_x = NULL, pageable_x = 0;

    UM_TRY(cudaMalloc((void **)&d_x, sizeof *d_x));
    UM_TRY(cudaMallocHost((void **)&h_x, sizeof *h_x));
    launches(run, d_x);
    small_copies(run, "4 bytes from pageable", d_x, &pageable_x);
    small_copies(run, "4 bytes from pinned", d_x, h_x);
cleanup:
    cudaFreeHost(h_x);
    cudaFree(d_x);
}

static void before(const struct um_results *results, FILE *out)
{
    char size[UM_SIZE_TEXT];

    (void)results;
    report_machine(out);
    fprintf(out, "Each path alone, with arrays of %s; calls with 4 bytes.\n\n",
            um_size_text((double)array_bytes, size));
}

/* "A is N times as fast as B", where both were measured. */
static void compare(const struct um_results *results, FILE *out, const char *fast, const char *slow,
                    const char *lesson)
{
    const struct um_row *a = um_results_find(results, fast), *b = um_results_find(results, slow);

    if (!a || !b || !(a->bandwidth_gbs > 0) || !(b->bandwidth_gbs > 0))
        return;
    um_print(out, 2, "- \"%s\" has %.1f times the rate of \"%s\": %s\n", fast,
             a->bandwidth_gbs / b->bandwidth_gbs, slow, lesson);
}

static void after(const struct um_results *results, FILE *out)
{
    compare(results, out, "pinned to device", "pageable to device", "what pinning is for (lab3)");
    compare(results, out, "kernel reads device", "kernel reads mapped", "what copying is for (lab1, lab4)");
    compare(results, out, "prefetch to device", "kernel reads managed, first",
            "what a prefetch is for (lab6)");
    compare(results, out, "kernel reads managed, again", "kernel reads managed, first",
            "pages move once, and stay until the host touches them (lab5)");
}

/* The fastest road of all, and the slowest. */
static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    const struct um_row *fast = NULL, *slow = NULL;
    char times[UM_TIMES_TEXT];

    (void)options;
    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];

        if (row->verdict != UM_VERDICT_YES || !(row->bandwidth_gbs > 0))
            continue;
        fast = !fast || row->bandwidth_gbs > fast->bandwidth_gbs ? row : fast;
        slow = !slow || row->bandwidth_gbs < slow->bandwidth_gbs ? row : slow;
    }
    if (fast == slow)
        return;
    closing->fastest = fast;
    closing->surprise = slow;
    um_closing_say(closing,
                   "\"%s\" runs at %.0f GB/s, \"%s\" at %.1f: the roads of one machine differ by %s.",
                   fast->strategy, fast->bandwidth_gbs, slow->strategy, slow->bandwidth_gbs,
                   um_times_text(fast->bandwidth_gbs / slow->bandwidth_gbs, times));
}

static const struct um_section sections[] = {
    {"pageable", "Each road: bytes a second"},
    {"latency", "One access"},
    {"calls", "One call"},
    {0},
};

static const struct um_strategy strategies[] = {
    {"pageable", "cudaMemcpy from and to malloc's memory", pageable},
    {"pinned", "cudaMemcpy from and to cudaMallocHost's memory", pinned},
    {"write-combined", "cudaMemcpy from memory that the host only writes", write_combined},
    {"device", "a copy within the device; kernels on device memory", device},
    {"mapped", "kernels on the host's memory, in place", mapped},
    {"managed", "kernels and host on managed memory; prefetch", managed},
    {"peers", "between two devices: copies, and kernels in place", peers},
    {"latency", "one thread, each read waiting for the one before", latency},
    {"calls", "the shortest launch, the shortest copies", calls},
};

/* All until it is known whether the machine has the devices for them. */
static struct um_strategy chosen[UM_COUNT(strategies)];

/* Everything except the default size and the strategies, which depend on the devices. */
static struct um_lab lab = {
    .name = "lab0",
    .question = "What can this machine's memory system do?",
    .about = "Shows what CUDA says about this machine's memory, then takes each path of the data alone.",
    .size_is = "bytes of each array, less by default where the card is small",
    .minimum_size = 4096,
    .size_multiple = 4096,
    .device_arrays = 2,
    .host_arrays = 4,
    .managed_arrays = 1,
    .bandwidth = "bytes of one array by the total time",
    .columns = UM_COLUMN_TOTAL | UM_COLUMN_BANDWIDTH,
    .strategies = chosen,
    .sections = sections,
    .setup = setup,
    .before = before,
    .after = after,
    .closing = closing,
    .teardown = teardown,
};

static void choose_strategies(bool has_peers)
{
    lab.strategy_count = 0;
    for (size_t i = 0; i < UM_COUNT(strategies); i++) {
        if (strategies[i].run != peers || has_peers)
            chosen[lab.strategy_count++] = strategies[i];
    }
}

/* On a GPU, arrays well beyond its L2 cache, and the median of some runs; in the model neither matters. Never
 * more than a quarter of the device's free memory. */
static int choose_defaults(int argc, char **argv)
{
    struct um_options options;
    size_t device_free = 0, total = 0;
    int stop;

    lab.default_size = (size_t)(um_is_sim() ? 64 : 256) << 20;
    lab.default_repeat = um_is_sim() ? 1 : 5;
    choose_strategies(true);
    stop = um_options_parse(&lab, argc, argv, &options);
    if (stop < 0)
        stop = um_device_ready(lab.name);
    if (stop >= 0)
        return stop;
    choose_strategies(device_count() > 1);
    if (!UM_CHECK(cudaMemGetInfo(&device_free, &total)))
        return UM_EXIT_CANNOT;
    while (lab.default_size > device_free / 4 && lab.default_size > lab.minimum_size) {
        lab.default_size /= 2;
    }
    return -1;
}

int main(int argc, char **argv)
{
    const int stop = choose_defaults(argc, argv);

    return stop >= 0 ? stop : um_lab_main(&lab, argc, argv);
}
