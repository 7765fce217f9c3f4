/**
 * @file lab1.c
 * @brief Lab 1: what does it cost to send data to the GPU and back?
 *
 * The work is c = a + b, one addition for every twelve bytes: as little as a GPU can be asked to do. `cpu`
 * does it without a GPU. Four strategies do it there and differ only in how often the data crosses the bus.
 * Read `pageable` first: it is the whole of explicit memory in five steps. The others rearrange these steps.
 *
 *     make lab1
 *     make lab1 ARGS="--size 16M --strategy bounce,resident"
 */
#include <math.h>

#include "kernels.h"
#include "um_lab.h"

#define CHUNK_BYTES ((size_t)1 << 20) /* what `chunked` copies at a time */
#define STEPS 8                       /* kernels in a row that `bounce` and `resident` run */

/* The host's arrays, from malloc: memory that the operating system may page out, so "pageable". */
static float *h_a, *h_b, *h_c;

static float sum_expected(size_t i, uint64_t seed)
{
    return (float)um_value(seed, i) + (float)um_value(seed + 1, i);
}

static float chain_expected(size_t i, uint64_t seed)
{
    return (float)um_value(seed, i) + STEPS * (float)um_value(seed + 1, i);
}

static bool setup(const struct um_options *options)
{
    const size_t n = options->size / sizeof(float);

    UM_NEED(h_a = malloc(3 * options->size));
    h_b = h_a + n;
    h_c = h_b + n;
    um_fill_floats(h_a, n, options->seed);
    um_fill_floats(h_b, n, options->seed + 1);
    return true;
cleanup:
    return false;
}

static void teardown(void)
{
    free(h_a);
}

/* Fills in what all ways report alike, and checks every element. */
static void finish(struct um_run *run, struct um_row *row, int kernels, um_expected_float wanted)
{
    um_phase_end(row);
    const double copying_us = row->h2d_us + row->d2h_us;
    const double copied = (double)(row->counters.bytes_h2d + row->counters.bytes_d2h);

    row->bandwidth_gbs = um_gbs(copied, copying_us);
    um_extra_count(row, "kernels", "kernels", "", kernels);
    um_extra_number(row, "copy_share_percent", "copying", "%", 100 * copying_us / row->total_us, 1);
    um_row_verified(row, um_verify_floats(run->strategy, h_c, run->size / sizeof(float), run->seed, wanted));
}

/* One core of the host, without a GPU: what all that travelling has to beat. */
static void cpu(struct um_run *run)
{
    const size_t n = run->size / sizeof(float);
    struct um_row *row = um_row(run, NULL);

    memset(h_c, 0, run->size);
    um_phase(row, UM_PHASE_HOST);
    for (size_t i = 0; i < n; i++)
        h_c[i] = h_a[i] + h_b[i];
    um_host_moved(3 * run->size); /* two arrays are read, one is written */
    um_phase_end(row);
    um_row_verified(row, um_verify_floats(run->strategy, h_c, n, run->seed, sum_expected));
}

/* The five steps: allocate, copy in, launch, copy out, free. */
static void pageable(struct um_run *run)
{
    const size_t bytes = run->size, n = bytes / sizeof(float);
    struct um_row *row = um_row(run, NULL);
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;

    memset(h_c, 0, bytes); /* a result left over from another strategy must not verify */
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMalloc((void **)&d_a, bytes));
    UM_TRY(cudaMalloc((void **)&d_b, bytes));
    UM_TRY(cudaMalloc((void **)&d_c, bytes));

    um_phase(row, UM_PHASE_H2D);
    UM_TRY(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
    UM_TRY(cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice));
    um_row_copied_h2d(row, 2 * bytes);

    um_phase(row, UM_PHASE_KERNEL);
    UM_TRY(um_vector_add(d_c, d_a, d_b, n, 0));
    UM_TRY(cudaDeviceSynchronize()); /* the launch returned at once: without this, the copy below would pay */

    um_phase(row, UM_PHASE_D2H);
    UM_TRY(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));
    um_row_copied_d2h(row, bytes);

    finish(run, row, 1, sum_expected);
cleanup:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}

/* The same in pieces, with device memory for one piece of each array only: less memory, more calls. */
static void chunked(struct um_run *run)
{
    const size_t chunk = run->size < CHUNK_BYTES ? run->size : CHUNK_BYTES;
    struct um_row *row = um_row(run, NULL);
    float *d_abc = NULL;
    int kernels = 0;

    memset(h_c, 0, run->size);
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMalloc((void **)&d_abc, 3 * chunk));

    for (size_t done = 0; done < run->size; done += chunk, kernels++) {
        const size_t bytes = run->size - done < chunk ? run->size - done : chunk;
        const size_t first = done / sizeof(float), n = bytes / sizeof(float);
        float *d_a = d_abc, *d_b = d_a + n,
              *d_c = d_b + n; /* arithmetic only: the host follows none of these pointers */

        um_phase(row, UM_PHASE_H2D);
        UM_TRY(cudaMemcpy(d_a, h_a + first, bytes, cudaMemcpyHostToDevice));
        UM_TRY(cudaMemcpy(d_b, h_b + first, bytes, cudaMemcpyHostToDevice));
        um_row_copied_h2d(row, 2 * bytes);
        um_phase(row, UM_PHASE_KERNEL);
        UM_TRY(um_vector_add(d_c, d_a, d_b, n, 0));
        UM_TRY(cudaDeviceSynchronize());
        um_phase(row, UM_PHASE_D2H);
        UM_TRY(cudaMemcpy(h_c + first, d_c, bytes, cudaMemcpyDeviceToHost));
        um_row_copied_d2h(row, bytes);
    }
    finish(run, row, kernels, sum_expected);
cleanup:
    cudaFree(d_abc);
}

/* STEPS kernels, c = c + b each. The data either comes back after each kernel, or stays until the last. */
static void chain(struct um_run *run, bool stay)
{
    const size_t bytes = run->size, n = bytes / sizeof(float);
    struct um_row *row = um_row(run, NULL);
    float *d_b = NULL, *d_c = NULL;

    memcpy(h_c, h_a, bytes);
    um_phase(row, UM_PHASE_ALLOC);
    UM_TRY(cudaMalloc((void **)&d_b, bytes));
    UM_TRY(cudaMalloc((void **)&d_c, bytes));

    for (int step = 0; step < STEPS; step++) {
        if (step == 0 || !stay) {
            um_phase(row, UM_PHASE_H2D);
            UM_TRY(cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice));
            UM_TRY(cudaMemcpy(d_c, h_c, bytes, cudaMemcpyHostToDevice));
            um_row_copied_h2d(row, 2 * bytes);
        }
        um_phase(row, UM_PHASE_KERNEL);
        UM_TRY(um_vector_add(d_c, d_c, d_b, n, 0));
        UM_TRY(cudaDeviceSynchronize());

        if (step == STEPS - 1 || !stay) {
            um_phase(row, UM_PHASE_D2H);
            UM_TRY(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));
            um_row_copied_d2h(row, bytes);
        }
    }
    finish(run, row, STEPS, chain_expected);
cleanup:
    cudaFree(d_b);
    cudaFree(d_c);
}

static void bounce(struct um_run *run)
{
    chain(run, false);
}

static void resident(struct um_run *run)
{
    chain(run, true);
}

/* From how many kernels on the same data on the journey pays: its time, against what each kernel saves. */
static void pays_from(const struct um_row *resident, const struct um_row *alone, struct um_closing *closing)
{
    const double kernel_us = resident->kernel_us / STEPS;
    const double journey_us = resident->total_us - resident->kernel_us,
                 saved_us = alone->total_us - kernel_us;

    if (saved_us > 0)
        um_closing_say(
            closing,
            " One core adds them in %.0f us: sending them pays from %.0f kernels on the same data on.",
            alone->total_us, ceil(journey_us / saved_us));
    else
        um_closing_say(closing, " One core adds them in %.0f us: here sending them never pays.",
                       alone->total_us);
}

static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    const struct um_row *row = um_answering_row(results, "pageable");
    const struct um_row *alone = um_answering_row(results, "cpu"),
                        *bounce = um_answering_row(results, "bounce");
    const struct um_row *resident = um_answering_row(results, "resident");
    char times[UM_TIMES_TEXT];

    (void)options;
    if (!row)
        return;
    um_closing_say(closing, "Copying took %s as long as adding: %.0f us, and %.0f.",
                   um_times_text((row->h2d_us + row->d2h_us) / row->kernel_us, times),
                   row->h2d_us + row->d2h_us, row->kernel_us);
    if (alone && resident)
        pays_from(resident, alone, closing);
    if (bounce && resident)
        closing->fastest = resident->total_us < bounce->total_us ? resident : bounce;
    if (alone && alone->total_us < row->total_us)
        closing->surprise = alone;
}

static const struct um_strategy strategies[] = {
    {"cpu", "no GPU: one core of the host", cpu},
    {"pageable", "malloc'd memory, one copy of each array", pageable},
    {"chunked", "the same, 1 MiB at a time", chunked},
    {"bounce", "8 kernels, the data copied in and out for each", bounce},
    {"resident", "8 kernels, the data copied in once and out once", resident},
};

static const struct um_lab lab = {
    .name = "lab1",
    .question = "What does it cost to send data to the GPU and back?",
    .about = "Adds two arrays on the GPU, and shows where the time goes.",
    .size_is = "bytes of each array",
    .default_size = (size_t)64 << 20,
    .device_arrays = 3,
    .host_arrays = 3,
    .bandwidth = "bytes copied, both ways, by the time of the copies",
    .columns = UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_BANDWIDTH | UM_COLUMN_COPIED,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .setup = setup,
    .closing = closing,
    .teardown = teardown,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
