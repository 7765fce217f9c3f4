/**
 * @file copies.c
 * @brief Implementation of copies.h: copies ordinary memory in three ways, and says what limits each.
 */
#include <math.h>

#include "copies.h"

uint64_t threads_wanted = 0;              /* --threads; 0: the pipe's own choice */
uint64_t largest_copy = (size_t)64 << 20; /* --copies */

/* The sizes that are copied. */
#define COPY_SIZES 3
static size_t copy_size(int i)
{
    const size_t bytes = (size_t)(i == 0 ? largest_copy / 64 : i == 1 ? largest_copy / 8 : largest_copy);

    return bytes < 1024 ? 1024 : bytes / sizeof(int) * sizeof(int);
}

static int copied_value(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i);
}

/* One copy, that has been waited for. */
static cudaError_t copy_once(enum way way, struct um_pipe *pipe, void *to, const void *from, size_t bytes,
                             enum cudaMemcpyKind kind)
{
    const cudaError_t error =
        way == WAY_PIPED ? um_pipe_copy(pipe, to, from, bytes, kind, 0) : cudaMemcpy(to, from, bytes, kind);

    return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

/* One row: there and back, once to warm up, then timed. */
static void copy_row(struct um_run *run, enum way way, struct um_pipe *pipe, size_t bytes,
                     size_t device_bytes)
{
    struct um_row *row = um_row(run, NULL);
    int *h = NULL, *back = NULL, *d = NULL;

    row->size_bytes = bytes;
    if (bytes == 0 || bytes > device_bytes) {
        um_row_skip(row, "%zu bytes of device memory are free: --copies takes less", device_bytes);
        return;
    }
    if (way == WAY_PINNED) {
        UM_TRY(cudaMallocHost((void **)&h, bytes));
        UM_TRY(cudaMallocHost((void **)&back, bytes));
    } else {
        UM_NEED(h = malloc(bytes));
        UM_NEED(back = malloc(bytes));
    }
    UM_TRY(cudaMalloc((void **)&d, bytes));
    um_fill_ints(h, bytes / sizeof *h, run->seed);
    memset(back, 0, bytes);
    UM_TRY(copy_once(way, pipe, d, h, bytes, cudaMemcpyHostToDevice));
    UM_TRY(copy_once(way, pipe, back, d, bytes, cudaMemcpyDeviceToHost));
    UM_TRY(cudaMemset(d, 0, bytes));
    memset(back, 0, bytes);
    UM_TRY(cudaDeviceSynchronize());

    um_phase(row, UM_PHASE_H2D);
    UM_TRY(copy_once(way, pipe, d, h, bytes, cudaMemcpyHostToDevice));
    um_phase(row, UM_PHASE_D2H);
    UM_TRY(copy_once(way, pipe, back, d, bytes, cudaMemcpyDeviceToHost));
    um_phase_end(row);
    um_row_copied_h2d(row, bytes);
    um_row_copied_d2h(row, bytes);
    um_extra_number(row, "h2d_gbs", "H2D", "GB/s", um_gbs((double)bytes, row->h2d_us), 1);
    um_extra_number(row, "d2h_gbs", "D2H", "GB/s", um_gbs((double)bytes, row->d2h_us), 1);
    um_row_verified(row, um_verify_ints(run->strategy, back, bytes / sizeof *h, run->seed, copied_value));
cleanup:
    um_phase_end(row);
    cudaFree(d);
    if (way == WAY_PINNED) {
        cudaFreeHost(h);
        cudaFreeHost(back);
    } else {
        free(h);
        free(back);
    }
}

void copy_rows(struct um_run *run, enum way way, size_t device_bytes)
{
    const struct um_pipe_options options = {.threads = (int)threads_wanted};
    struct um_pipe *pipe = NULL;

    if (way == WAY_PIPED)
        UM_TRY(um_pipe_create(&pipe, &options));
    for (int i = 0; i < COPY_SIZES; i++) {
        copy_row(run, way, pipe, copy_size(i), device_bytes);
    }
cleanup:
    um_pipe_destroy(pipe);
}

/* The verified row of strategy `name` at `bytes`; NULL without. */
static const struct um_row *copied_row(const struct um_results *results, const char *name, size_t bytes)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];

        if (row->size_bytes == bytes && strcmp(row->strategy, name) == 0 && row->verdict == UM_VERDICT_YES)
            return row;
    }
    return NULL;
}

/* The result of one way to copy, at its largest size, as a part of the pinned copy. */
static void copy_line(const struct um_results *results, const char *name, const char *limit, FILE *out)
{
    const struct um_row *row = NULL, *pinned;
    char text[UM_SIZE_TEXT], part[48] = "";

    for (size_t i = 0; i < results->count; i++) {
        if (strcmp(results->rows[i]->strategy, name) == 0 && results->rows[i]->verdict == UM_VERDICT_YES)
            row = results->rows[i];
    }
    if (!row)
        return;
    pinned = copied_row(results, "copy-pinned", row->size_bytes);
    if (pinned)
        snprintf(part, sizeof part, ", %.2f and %.2f of pinned", pinned->h2d_us / row->h2d_us,
                 pinned->d2h_us / row->d2h_us);
    um_print(out, 18, "  %-14s %5.1f GB/s there, %5.1f back%s (%s): %s\n", name + 5,
             um_gbs((double)row->size_bytes, row->h2d_us), um_gbs((double)row->size_bytes, row->d2h_us), part,
             um_size_text((double)row->size_bytes, text), limit);
}

void copies_print(const struct um_results *results, FILE *out)
{
    if (!um_results_find(results, "copy-pageable") && !um_results_find(results, "copy-pinned") &&
        !um_results_find(results, "copy-piped"))
        return;
    fprintf(out, "\nordinary memory, copied (%s, %s times):\n", um_device_label(), um_times());
    copy_line(results, "copy-pageable", "one thread of the driver's copies to a pinned buffer", out);
    copy_line(results, "copy-pinned", "the link", out);
    copy_line(results, "copy-piped",
              um_is_sim() ? "the link, and what each chunk costs the engine"
                          : "the link or the host's memory, and what each chunk costs the engine",
              out);
}
