/**
 * @file lab7.c
 * @brief Lab 7: how do records and linked structures reach the other side?
 *
 * Labs 1 to 6 moved plain arrays. Programs also have records, of which a kernel may need only a part, and
 * structures held together by pointers, which mean nothing on the other side of a copy. The lab tells two
 * stories. Records: one time step for particles, kept as an array of records or as a structure of arrays.
 * List: a kernel adds up a linked list, which is copied by hand node by node, packed into one buffer, or
 * left where both sides can follow it. Read `records` first; the list's strategies are in list.c.
 *
 *     make lab7
 *     make lab7 ARGS="--strategy list-nodes,list-packed --nodes 256"
 */
#include <math.h>

#include "answers.h"
#include "list.h"
#include "records.h"
#include "tally.h"

static struct tally step_tally(const char *kernel, double times, size_t n)
{
    return (struct tally){.asked = (double)(n * (STEP_READS + STEP_WRITES)),
                          .fetched = times * um_kernel_bytes(kernel, n),
                          .needed = (double)(n * (STEP_READS + STEP_WRITES))};
}

static void verify_records(struct um_run *run, struct um_row *row, const struct um_record *records, size_t n)
{
    bool right = true;

    for (size_t i = 0; i < n && right; i++)
        right = moved_right(run->strategy, i, run->seed, records[i]);
    um_row_verified(row, right);
}

static void verify_arrays(struct um_run *run, struct um_row *row, const struct arrays *arrays, size_t n)
{
    bool right = true;

    for (size_t i = 0; i < n && right; i++)
        right = moved_right(run->strategy, i, run->seed, record_of(arrays, i));
    um_row_verified(row, right);
}

/* An array of records is copied as it is: one copy each way, and the kernel strides over the fields that
 * it does not need. */
static void records(struct um_run *run)
{
    const size_t bytes = run->size, n = bytes / sizeof(struct um_record);
    struct tally tally = step_tally("um_record_move", 1, n);
    struct um_row *row = um_row(run, NULL);
    struct um_record *h_p = NULL, *d_p = NULL;

    UM_NEED(h_p = malloc(bytes));
    fill_records(h_p, n, run->seed);
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMalloc((void **)&d_p, bytes));
    um_phase(row, UM_PHASE_H2D);
    UM_TRY(cudaMemcpy(d_p, h_p, bytes, cudaMemcpyHostToDevice));
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_record_move(d_p, TIME_STEP, n, 0));
    UM_TRY(cudaDeviceSynchronize());
    um_phase(row, UM_PHASE_D2H);
    UM_TRY(cudaMemcpy(h_p, d_p, bytes, cudaMemcpyDeviceToHost));
    tally.allocations = 1;
    tally.copies = 2;
    um_row_copied_h2d(row, bytes);
    um_row_copied_d2h(row, bytes);
    finish(row, &tally);
    verify_records(run, row, h_p, n);
cleanup:
    cudaFree(d_p);
    free(h_p);
}

/* Allocates device memory for the six arrays that the step reads, copies them there, runs the step, and
 * copies them back. */
static cudaError_t step_on_copies(struct um_row *row, const struct arrays *host, void **d_memory, size_t n,
                                  struct tally *tally)
{
    const size_t bytes = n * sizeof(float);
    struct arrays device;
    cudaError_t error;

    um_phase(row, UM_PHASE_ALLOC);
    error = cudaMalloc(d_memory, 2 * AXES * bytes);
    device = arrays_in(*d_memory, n); /* positions and velocities come first: the rest is not followed */
    tally->allocations++;
    um_phase(row, UM_PHASE_H2D);
    for (int axis = 0; axis < AXES && error == cudaSuccess; axis++, tally->copies += 2) {
        error = cudaMemcpy(device.position[axis], host->position[axis], bytes, cudaMemcpyHostToDevice);
        if (error == cudaSuccess)
            error = cudaMemcpy(device.velocity[axis], host->velocity[axis], bytes, cudaMemcpyHostToDevice);
    }
    um_phase(row, UM_PHASE_KERNEL);
    if (error == cudaSuccess)
        error = move_arrays(&device, n);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    um_phase(row, UM_PHASE_D2H); /* velocities did not change: they need not come back */
    for (int axis = 0; axis < AXES && error == cudaSuccess; axis++, tally->copies++)
        error = cudaMemcpy(host->position[axis], device.position[axis], bytes, cudaMemcpyDeviceToHost);
    um_row_copied_h2d(row, 2 * AXES * bytes);
    um_row_copied_d2h(row, AXES * bytes);
    return error;
}

/* A structure of arrays: the fields that the step needs lie together, so only these have to cross. */
static void arrays(struct um_run *run)
{
    const size_t n = run->size / sizeof(struct um_record);
    struct tally tally = step_tally("um_saxpy", AXES, n);
    struct um_row *row = um_row(run, NULL);
    void *h_memory = NULL, *d_memory = NULL;
    struct arrays host;

    UM_NEED(h_memory = malloc(run->size));
    host = arrays_in(h_memory, n);
    fill_arrays(&host, n, run->seed);
    UM_TRY(step_on_copies(row, &host, &d_memory, n, &tally));
    finish(row, &tally);
    verify_arrays(run, row, &host, n);
cleanup:
    cudaFree(d_memory);
    free(h_memory);
}

/* The program has records and needs arrays: the host splits the records before, and reassembles them
 * after. */
static void convert(struct um_run *run)
{
    const size_t n = run->size / sizeof(struct um_record);
    struct tally tally = step_tally("um_saxpy", AXES, n);
    struct um_row *row = um_row(run, NULL);
    struct um_record *h_p = NULL;
    void *h_memory = NULL, *d_memory = NULL;
    double start_us, convert_us;
    struct arrays host;

    UM_NEED(h_p = malloc(run->size));
    UM_NEED(h_memory = malloc(run->size));
    memset(h_memory, 0, run->size); /* allocating its pages is not part of the conversion */
    host = arrays_in(h_memory, n);
    fill_records(h_p, n, run->seed);
    start_us = um_now_us();
    for (size_t i = 0; i < n; i++)
        take_apart(&host, i, h_p[i]);
    convert_us = um_now_us() - start_us;
    UM_TRY(step_on_copies(row, &host, &d_memory, n, &tally));
    finish(row, &tally);
    start_us = um_now_us();
    for (size_t i = 0; i < n; i++)
        h_p[i] = record_of(&host, i);
    convert_us += um_now_us() - start_us;
    um_extra_number(row, "convert_us", "convert", "us", um_is_sim() ? NAN : convert_us, 1);
    verify_records(run, row, h_p, n);
cleanup:
    cudaFree(d_memory);
    free(h_memory);
    free(h_p);
}

/* Either layout in managed memory: nothing is copied, and what a kernel touches moves in whole pages. */
static void managed(struct um_run *run, bool as_arrays)
{
    const size_t n = run->size / sizeof(struct um_record);
    struct tally tally = as_arrays ? step_tally("um_saxpy", AXES, n) : step_tally("um_record_move", 1, n);
    volatile float seen = 0;
    struct arrays a;
    struct um_row *row;
    void *x = NULL;

    if (skipped(run))
        return;
    row = um_row(run, NULL);
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMallocManaged(&x, run->size, cudaMemAttachGlobal));
    tally.allocations = 1;
    um_phase_end(row);
    a = arrays_in(x, n);
    if (as_arrays)
        fill_arrays(&a, n, run->seed);
    else
        fill_records(x, n, run->seed);
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(as_arrays ? move_arrays(&a, n) : um_record_move(x, TIME_STEP, n, 0));
    UM_TRY(cudaDeviceSynchronize());
    um_phase(row, UM_PHASE_HOST); /* it reads the new positions, as after a copy */
    for (size_t i = 0; i < n; i++)
        for (int axis = 0; axis < AXES; axis++)
            seen += as_arrays ? a.position[axis][i] : ((struct um_record *)x)[i].position[axis];
    finish(row, &tally);
    if (as_arrays)
        verify_arrays(run, row, &a, n);
    else
        verify_records(run, row, x, n);
cleanup:
    cudaFree(x);
}

static void records_managed(struct um_run *run)
{
    managed(run, false);
}

static void arrays_managed(struct um_run *run)
{
    managed(run, true);
}

static bool setup(const struct um_options *options)
{
    (void)options;
    UM_TRY(cudaHostAlloc((void **)&sum, sizeof *sum, cudaHostAllocMapped));
    return true;
cleanup:
    return false;
}

static void teardown(void)
{
    cudaFreeHost(sum);
}

/* One node's share of a strategy's time. */
static void a_node_costs(const struct um_results *results, const char *strategy, const char *how, FILE *out)
{
    const struct um_row *row = um_results_find(results, strategy);

    if (row && row->verdict == UM_VERDICT_YES)
        um_print(out, 14, "%-13s a node costs %.3f us: %s\n", strategy, row->total_us / (double)nodes, how);
}

static void after(const struct um_results *results, FILE *out)
{
    um_print(out, 2,
             "asked: bytes that the kernel's code reads and writes; fetched: whole sectors of %d bytes that "
             "memory moves for it\nbus used: bytes that had to cross the bus, of those that did\n",
             UM_SECTOR_BYTES);
    if (!um_is_sim())
        um_print(out, 2,
                 "sectors a request: a profiler counts them, ncu --metrics "
                 "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio (_st: of writes)\n");
    if (um_is_sim() && um_results_find(results, "convert"))
        fprintf(out, "convert: n/a, the simulator's clock does not see what the host's own loops cost\n");
    fprintf(out, "\n");
    a_node_costs(results, "list-nodes", "an allocation and a copy of its own", out);
    a_node_costs(results, "list-packed", "its place in one buffer, and a link written anew", out);
    a_node_costs(results, "list-mapped", "a trip over the bus, each waiting for the one before", out);
    a_node_costs(results, "list-pool", "its share of the page that it is in", out);
    a_node_costs(results, "list-managed", "an allocation of its own, and its share of a page", out);
}

static const struct um_section sections[] = {
    {"records", "One step of time for particles"},
    {"list-nodes", "The sum of a linked list"},
    {0},
};

static const struct um_strategy strategies[] = {
    {"records", "an array of records, copied whole", records},
    {"arrays", "a structure of arrays: what the step needs is copied", arrays},
    {"convert", "records that the host takes apart into arrays, and puts together again", convert},
    {"records-managed", "an array of records in managed memory", records_managed},
    {"arrays-managed", "a structure of arrays in managed memory", arrays_managed},
    {"list-nodes", "the list copied by hand, node by node", list_nodes},
    {"list-packed", "the list packed into one buffer, links rewritten", list_packed},
    {"list-mapped", "nodes side by side in mapped pinned memory", list_mapped},
    {"list-pool", "nodes side by side in one managed allocation", list_pool},
    {"list-managed", "each node a managed allocation", list_managed},
};

static const struct um_question questions[] = {
    {"copied", "MiB that arrays copies to the GPU", answer_copied},
    {"fetched", "bytes of GPU memory that a particle costs the kernel of records (worked out)",
     answer_fetched},
    {"moved", "MiB that arrays-managed moves to the GPU", answer_moved},
    {"nodes", "total of list-nodes, as a multiple of list-packed's", answer_nodes},
    {"apart", "KiB that list-managed moves to the GPU", answer_apart},
    {"back", "page faults of the host, which follows that list afterwards", answer_back},
    {0},
};

static const struct um_lab_option options[] = {
    {.name = "--nodes",
     .argument = "N",
     .help = "nodes of the list (4096)",
     .type = UM_OPTION_COUNT,
     .value = &nodes,
     .minimum = 1,
     .maximum = 65536},
    {.name = NULL},
};

static const struct um_lab lab = {
    .name = "lab7",
    .question = "How do records and linked structures cross over?",
    .about =
        "A step of time for an array of records and for a structure of arrays; the sum of a linked list.\n"
        "By hand and in managed memory, with the bytes needed against the bytes moved.",
    .size_is = "bytes of the records (32 each)",
    .default_size = (size_t)16 << 20,
    .minimum_size = sizeof(struct um_record),
    .size_multiple = sizeof(struct um_record),
    .device_arrays = 1,
    .host_arrays = 2,
    .managed_arrays = 1,
    .columns = UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_COPIED | UM_COLUMN_FAULTS |
               UM_COLUMN_MIGRATED,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .sections = sections,
    .options = options,
    .questions = questions,
    .setup = setup,
    .after = after,
    .closing = answers_closing,
    .teardown = teardown,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
