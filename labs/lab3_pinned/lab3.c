/**
 * @file lab3.c
 * @brief Lab 3: when is pinned memory faster, and what may overlap?
 *
 * There are two experiments. `copies`, below, makes plain copies, small to large, from four kinds of host
 * memory (host_memory.c). `pipeline`, in pipeline.c, does the same chunks of work in one stream, in several,
 * and in several but from pageable memory: a mistake that no error message reports. timeline.c draws what
 * the events say, and answers.c computes what the rows say.
 *
 *     make lab3
 *     make lab3 ARGS="--size 64M --chunks 16 --streams 3"
 */
#include <math.h>

#include "answers.h"
#include "pipeline.h"

/* The sizes that the copies run at on their way up to --size. */
static const size_t sweep[] = {4, 1 << 10, 16 << 10, 256 << 10, 4 << 20};

static struct timeline one_stream_line, overlapped_line, pageable_line; /* of the fastest repetition */

static int expected_copy(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i);
}

/* One row: host memory of one kind and size, copied to the device and back a few times, with one call
 * each. */
static void copies(struct um_run *run, enum memory kind, size_t bytes)
{
    /* Write-combined memory is for data that the host only writes: here the data comes back to other
     * memory, unmeasured. */
    const bool back = kind != WRITE_COMBINED;
    const int count = bytes < 1 << 20 ? 16 : 4;
    struct um_row *row = um_row(run, NULL);
    int *h = NULL, *d = NULL, *elsewhere = NULL;
    double start_us, calls_us;

    row->size_bytes = bytes;
    UM_TRY(cudaMalloc((void **)&d, bytes));
    UM_TRY(host_get(kind, &h, bytes, row));
    um_fill_ints(h, bytes / sizeof(int), run->seed);
    UM_TRY(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice)); /* a first copy has costs of its own */
    UM_TRY(cudaMemset(d, 0, bytes));
    UM_TRY(cudaDeviceSynchronize());

    um_phase(row, UM_PHASE_H2D);
    start_us = um_now_us();
    for (int i = 0; i < count; i++) {
        UM_TRY(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    }
    calls_us = um_now_us() - start_us;
    UM_TRY(cudaDeviceSynchronize()); /* a small pageable copy returns before its data has arrived */
    um_phase_end(row);

    if (back) {
        memset(h, 0, bytes);
        um_phase(row, UM_PHASE_D2H);
        for (int i = 0; i < count; i++) {
            UM_TRY(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
        }
        um_phase_end(row);
    } else {
        UM_NEED(elsewhere = calloc(bytes, 1));
        UM_TRY(cudaMemcpy(elsewhere, d, bytes, cudaMemcpyDeviceToHost));
    }
    um_row_verified(row, um_verify_ints(run->strategy, back ? h : elsewhere, bytes / sizeof(int), run->seed,
                                        expected_copy));
    um_row_copied_h2d(row, bytes * (size_t)count);
    um_row_copied_d2h(row, back ? bytes * (size_t)count : 0);
    row->bandwidth_gbs =
        um_gbs((double)bytes * count * (back ? 2 : 1), row->h2d_us + (back ? row->d2h_us : 0));
    um_extra_number(row, "copy_h2d_us", "one H2D", "us", calls_us / count, 2);
    um_extra_number(row, "copy_d2h_us", "one D2H", "us", row->d2h_us / count, 2);
cleanup:
    um_phase_end(row);
    host_give_back(kind, h, row); /* a part of what it costs */
    free(elsewhere);
    cudaFree(d);
}

static void copies_up_to_size(struct um_run *run, enum memory kind)
{
    for (size_t i = 0; i < UM_COUNT(sweep) && sweep[i] < run->size; i++) {
        copies(run, kind, sweep[i]);
    }
    copies(run, kind, run->size);
}

static void pageable(struct um_run *run)
{
    copies_up_to_size(run, PAGEABLE);
}

static void pinned(struct um_run *run)
{
    copies_up_to_size(run, PINNED);
}

static void write_combined(struct um_run *run)
{
    copies(run, WRITE_COMBINED, run->size);
}

static void registered(struct um_run *run)
{
    if (um_device()->host_register)
        copies(run, REGISTERED, run->size);
    else
        um_row_skip(um_row(run, NULL),
                    "this device registers no host memory (cudaDevAttrHostRegisterSupported is 0)");
}

static void one_stream(struct um_run *run)
{
    pipeline(run, PINNED, 1, &one_stream_line);
}

static void overlapped(struct um_run *run)
{
    pipeline(run, PINNED, streams_wanted, &overlapped_line);
}

static void overlapped_pageable(struct um_run *run)
{
    pipeline(run, PAGEABLE, streams_wanted, &pageable_line);
}

static void after(const struct um_results *results, FILE *out)
{
    const size_t size = results->rows[results->count - 1]->size_bytes;
    const double longest_us = fmax(one_stream_line.total_us, overlapped_line.total_us);

    fprintf(out, "\n");
    answers_small_copies(results, out);
    answers_break_even(results, "pinned", size, out);
    answers_break_even(results, "write-combined", size, out);
    answers_break_even(results, "registered", size, out);
    if (one_stream_line.total_us + overlapped_line.total_us + pageable_line.total_us == 0)
        return;
    um_print(out, 2,
             "\nwhat each engine did, by the events (the device says cudaDevAttrAsyncEngineCount %d%s):\n",
             um_device()->async_engines,
             um_is_sim() && um_device()->async_engines == 1 ? ", but the simulator has one for each direction"
                                                            : "");
    if (one_stream_line.total_us > 0)
        timeline_draw("one-stream", &one_stream_line, longest_us, out);
    if (overlapped_line.total_us > 0)
        timeline_draw("overlapped", &overlapped_line, longest_us, out);
    if (pageable_line.total_us > 0)
        timeline_draw("overlapped-pageable", &pageable_line, pageable_line.total_us, out);
}

static void closing(const struct um_results *results, const struct um_options *options,
                    struct um_closing *closing)
{
    const struct um_row *one = um_answering_row(results, "one-stream");
    const struct um_row *overlapped_row = um_answering_row(results, "overlapped");
    const struct um_row *mistake = um_answering_row(results, "overlapped-pageable");
    char times[UM_TIMES_TEXT];

    answers_pinning(results, options->size, closing);
    if (!one || !overlapped_row || !mistake)
        return;
    um_closing_say(
        closing,
        "%sFrom pinned memory %llu streams took %.0f us where one took %.0f; from pageable memory the same "
        "calls took %.0f, %s as long, and no error says so.",
        closing->text[0] ? " " : "", (unsigned long long)streams_wanted, overlapped_row->total_us,
        one->total_us, mistake->total_us, um_times_text(mistake->total_us / overlapped_row->total_us, times));
    closing->fastest = overlapped_row->total_us < one->total_us ? overlapped_row : one;
    closing->surprise = mistake;
}

static const struct um_section sections[] = {
    {"pageable", "Copies: one call each"},
    {"one-stream", "Work in chunks: in, through the kernels, out"},
    {0},
};

static const struct um_strategy strategies[] = {
    {"pageable", "malloc's memory, copied by cudaMemcpy, small to large", pageable},
    {"pinned", "cudaMallocHost, likewise", pinned},
    {"write-combined", "cudaHostAllocWriteCombined, to the device only", write_combined},
    {"registered", "malloc's memory, pinned afterwards by cudaHostRegister", registered},
    {"one-stream", "chunks in, through the kernels and out, in one stream", one_stream},
    {"overlapped", "the same chunks over several streams", overlapped},
    {"overlapped-pageable", "the mistake: several streams, but pageable memory", overlapped_pageable},
};

static const struct um_lab_option options[] = {
    {"--chunks", "N", "pieces that the work is cut into (1 to 64)", UM_OPTION_COUNT, &chunks_wanted, 1,
     CHUNKS_MAX},
    {"--streams", "N", "streams that share them (1 to 16)", UM_OPTION_COUNT, &streams_wanted, 1, STREAMS_MAX},
    {NULL, NULL, NULL, UM_OPTION_COUNT, NULL, 0, 0},
};

static const struct um_lab lab = {
    .name = "lab3",
    .question = "When is pinned memory faster, and what may overlap?",
    .about = "Copies from four kinds of host memory, then chunks of work that overlap or do not.",
    .size_is = "bytes of the largest copy, and of the work that is cut into chunks",
    .default_size = (size_t)32 << 20,
    .device_arrays = 1,
    .host_arrays = 2,
    .bandwidth = "bytes copied, both ways, by the time of the copies (of chunked work: by its total)",
    .columns = UM_COLUMN_SIZE | UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_BANDWIDTH,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .sections = sections,
    .options = options,
    .after = after,
    .closing = closing,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
