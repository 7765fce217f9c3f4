/**
 * @file lab4.c
 * @brief Lab 4: when should the GPU read the host's memory in place?
 *
 * Pinned host memory is in the GPU's page tables, so a kernel may follow its address over the bus. Nothing
 * is copied, and each access crosses the bus when it happens. Every row does one piece of work on the host's
 * data, either on a copy in device memory or in place. `dense` is y = FACTOR * x + y over all of it, once or
 * PASSES times. `gather` reads a part of x, at places far apart. Each of the two functions below has both
 * variants.
 *
 *     make lab4
 *     make lab4 ARGS="--size 64M --strategy copy,mapped"
 */
#include "answers.h"
#include "host_memory.h"
#include "kernels.h"
#include "rows.h"

#define FACTOR 2.0f
#define PASSES 4 /* so that data once fetched is used again */
#define DENSE_MANY "dense x4"

/* A gather reads one element in this many. */
static const size_t one_in[] = {4096, 256, 16, 2};
#define ONE_IN_LEAST 2 /* the last of them */

static uint32_t *h_index,
    *d_index; /* where a gather reads; on the device beforehand, for both variants alike */

static float once_expected(size_t i, uint64_t seed)
{
    return FACTOR * (float)um_value(seed, i) + (float)um_value(seed + 1, i);
}

static float many_expected(size_t i, uint64_t seed)
{
    return PASSES * FACTOR * (float)um_value(seed, i) + (float)um_value(seed + 1, i);
}

static float gather_expected(size_t i, uint64_t seed)
{
    return (float)um_value(seed, h_index[i]);
}

static bool setup(const struct um_options *options)
{
    const size_t n = options->size / sizeof(float), most = n / ONE_IN_LEAST + 1;

    if (n > UINT32_MAX) {
        fprintf(stderr, "lab4: --size is at most 16G: places in x are 32-bit numbers\n");
        return false;
    }
    UM_NEED(h_index = malloc(most * sizeof *h_index));
    UM_TRY(cudaMalloc((void **)&d_index, most * sizeof *d_index));
    for (size_t i = 0; i < most; i++) {
        /* 2^32 divided by the golden ratio: multiples of it fall far apart, and nowhere twice in a row. */
        h_index[i] = (uint32_t)((uint64_t)((uint32_t)(i + options->seed) * UINT32_C(2654435769)) * n >> 32);
    }
    UM_TRY(cudaMemcpy(d_index, h_index, most * sizeof *d_index, cudaMemcpyHostToDevice));
    UM_TRY(cudaDeviceSynchronize());
    return true;
cleanup:
    return false;
}

static void teardown(void)
{
    free(h_index);
    cudaFree(d_index);
}

/* y = FACTOR * x + y. In place a pass reads x and y over the bus and writes y back, both ways at once. */
static void dense(struct um_run *run, enum memory kind, int passes)
{
    const enum memory y_kind = kind == WRITE_COMBINED ? MAPPED : kind; /* the host will read y */
    const size_t bytes = run->size, n = bytes / sizeof(float);
    struct um_row *row = open_row(run, kind, passes > 1 ? DENSE_MANY : "dense");
    float *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL;

    if (!row)
        return;
    UM_TRY(host_get(kind, &h_x, bytes, row));
    UM_TRY(host_get(y_kind, &h_y, bytes, row));
    UM_TRY(device_get(kind, &d_x, h_x, bytes, row));
    UM_TRY(device_get(y_kind, &d_y, h_y, bytes, row));
    um_fill_floats(h_x, n, run->seed);
    um_fill_floats(h_y, n, run->seed + 1);

    if (!in_place(kind)) {
        um_phase(row, UM_PHASE_H2D);
        UM_TRY(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
        UM_TRY(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
        um_row_copied_h2d(row, 2 * bytes);
    }
    um_phase(row, UM_PHASE_KERNEL);
    for (int pass = 0; pass < passes; pass++) {
        UM_TRY(um_saxpy(d_y, FACTOR, d_x, n, 0));
    }
    UM_TRY(cudaDeviceSynchronize()); /* in place, this is also when the host may look at y */
    if (!in_place(kind)) {
        um_phase(row, UM_PHASE_D2H);
        UM_TRY(cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost));
        um_row_copied_d2h(row, bytes);
    }
    finish(row, 3.0 * (double)bytes * passes, 3.0 * (double)bytes * (in_place(kind) ? passes : 1));
    if (passes == 1)
        um_extra_number(row, "host_read_gbs", "host reads x", "GB/s", host_read_gbs(h_x, bytes), 2);
    um_row_verified(
        row, um_verify_floats(row->strategy, h_y, n, run->seed, passes > 1 ? many_expected : once_expected));
cleanup:
    device_give_back(kind, d_x);
    device_give_back(y_kind, d_y);
    host_give_back(kind, h_x);
    host_give_back(y_kind, h_y);
}

/* Reads one element of x in `every`. The results stay on the device: copying them back would cost both
 * variants the same. */
static void gather(struct um_run *run, enum memory kind, size_t every)
{
    const size_t bytes = run->size, n = bytes / sizeof(float), count = n >= every ? n / every : 1;
    char pattern[32];
    float *h_x = NULL, *d_x = NULL, *h_found = NULL, *d_found = NULL;

    snprintf(pattern, sizeof pattern, "gather 1/%zu", every);
    struct um_row *row = open_row(run, kind, pattern);

    if (!row)
        return;
    UM_NEED(h_found = calloc(count, sizeof *h_found));
    UM_TRY(cudaMalloc((void **)&d_found, count * sizeof *d_found));
    UM_TRY(host_get(kind, &h_x, bytes, row));
    UM_TRY(device_get(kind, &d_x, h_x, bytes, row));
    um_fill_floats(h_x, n, run->seed);

    if (!in_place(kind)) {
        um_phase(row, UM_PHASE_H2D);
        UM_TRY(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
        um_row_copied_h2d(row, bytes);
    }
    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_gather(d_found, d_x, d_index, count, 0));
    UM_TRY(cudaDeviceSynchronize());
    finish(row, (double)(count * sizeof(float)),
           in_place(kind) ? (double)count * UM_FETCH_BYTES : (double)bytes);

    UM_TRY(cudaMemcpy(h_found, d_found, count * sizeof *h_found, cudaMemcpyDeviceToHost));
    um_row_verified(row, um_verify_floats(row->strategy, h_found, count, run->seed, gather_expected));
cleanup:
    free(h_found);
    cudaFree(d_found);
    device_give_back(kind, d_x);
    host_give_back(kind, h_x);
}

/* Each strategy is one kind of memory: in the order of the table below. */
static const enum memory kinds[] = {PAGEABLE, PINNED, MAPPED, REGISTERED, WRITE_COMBINED};

static void few(struct um_run *run)
{
    dense(run, kinds[run->group], 1);
    gather(run, kinds[run->group], one_in[1]);
}

static void all(struct um_run *run)
{
    dense(run, kinds[run->group], 1);
    dense(run, kinds[run->group], PASSES);
    for (size_t i = 0; i < UM_COUNT(one_in); i++) {
        gather(run, kinds[run->group], one_in[i]);
    }
}

static void after(const struct um_results *results, FILE *out)
{
    um_print(out, 2,
             "bus: what is copied, or what a kernel fetches and stores in place, in whole pieces of %d "
             "bytes\n",
             UM_FETCH_BYTES);
    if (um_is_sim())
        um_print(out, 2,
                 "host reads x: n/a, the simulator's clock does not see what the host's own loops cost\n");
    fprintf(out, "\n");
    answers_share(results, one_in, UM_COUNT(one_in), out);
    answers_passes(results, DENSE_MANY, PASSES, out);
    answers_registering(results, out);
}

static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    (void)options;
    answers_closing(results, one_in[0], ONE_IN_LEAST, closing);
}

static const struct um_strategy strategies[] = {
    {"copy-pageable", "malloc's memory, copied to the device", few},
    {"copy", "pinned memory (cudaMallocHost), copied to the device", all},
    {"mapped", "cudaHostAllocMapped, used in place", all},
    {"registered", "malloc's memory, cudaHostRegisterMapped, used in place", few},
    {"write-combined", "x in cudaHostAllocWriteCombined, used in place", few},
};

static const struct um_lab lab = {
    .name = "lab4",
    .question = "When should the GPU read the host's memory in place?",
    .about = "The same kernels on copies in device memory, and on the host's memory over the bus.",
    .size_is = "bytes of each array",
    .default_size = (size_t)16 << 20,
    .device_arrays = 2.5,
    .host_arrays = 3,
    .bandwidth = "bytes of the host's data that the kernels used, by the time of copies and kernels",
    .columns = UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_BANDWIDTH,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .setup = setup,
    .after = after,
    .closing = closing,
    .teardown = teardown,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
