/**
 * @file pipeline.c
 * @brief Implementation of pipeline.h: chunks over streams, timed and verified.
 */
#include "pipeline.h"

#define STEPS 8 /* kernels for each chunk: enough to be seen beside the copies */

uint64_t chunks_wanted = 8, streams_wanted = 4; /* --chunks, --streams */

static int expected_steps(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i) + STEPS;
}

/* One chunk. Its steps are in one stream, so they keep their order; none of these calls has to wait. */
static bool issue(cudaStream_t stream, cudaEvent_t *event, int *out, int *d, const int *in, size_t n)
{
    UM_TRY(cudaEventRecord(event[0], stream));
    UM_TRY(cudaMemcpyAsync(d, in, n * sizeof(int), cudaMemcpyHostToDevice, stream));
    UM_TRY(cudaEventRecord(event[1], stream));
    for (int step = 0; step < STEPS; step++) {
        UM_TRY(um_add_one(d, n, stream));
    }
    UM_TRY(cudaEventRecord(event[2], stream));
    UM_TRY(cudaMemcpyAsync(out, d, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    UM_TRY(cudaEventRecord(event[3], stream));
    return true;
cleanup:
    return false;
}

void pipeline(struct um_run *run, enum memory kind, uint64_t streams, struct timeline *fastest)
{
    const size_t n = run->size / sizeof(int), most = n < chunks_wanted ? n : chunks_wanted;
    const size_t chunk = (n + most - 1) / most; /* elements; the last may have fewer */
    struct timeline line = {.chunks = (n + chunk - 1) / chunk, .streams = streams};
    cudaStream_t stream[STREAMS_MAX] = {NULL};
    struct um_row *row = um_row(run, NULL);
    int *in = NULL, *out = NULL, *d = NULL;
    double start_us, issued_us;

    UM_TRY(cudaMalloc((void **)&d, run->size));
    UM_TRY(host_get(kind, &in, run->size, NULL));
    UM_TRY(host_get(kind, &out, run->size, NULL));
    um_fill_ints(in, n, run->seed);
    memset(out, 0, run->size);
    UM_TRY(timeline_make(&line));
    for (size_t i = 0; i < streams; i++) {
        UM_TRY(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    }

    um_phase(row, UM_PHASE_MIXED);
    start_us = um_now_us();
    UM_TRY(cudaEventRecord(line.origin, stream[0]));
    for (size_t c = 0, first = 0; c < line.chunks; c++, first += chunk) {
        if (!issue(stream[c % streams], line.event[c], out + first, d + first, in + first,
                   n - first < chunk ? n - first : chunk))
            goto cleanup;
    }
    issued_us = um_now_us() - start_us;
    UM_TRY(cudaDeviceSynchronize()); /* only now may the host look at `out` */
    um_phase_end(row);

    line.total_us = row->total_us;
    UM_TRY(timeline_read(&line));
    if (fastest->total_us == 0 || line.total_us < fastest->total_us)
        *fastest = line;
    row->h2d_us = line.busy_us[0];
    row->kernel_us = line.busy_us[1];
    row->d2h_us = line.busy_us[2];
    row->bandwidth_gbs = um_gbs(2.0 * (double)run->size, row->total_us);
    um_row_copied_h2d(row, run->size);
    um_row_copied_d2h(row, run->size);
    um_extra_number(row, "issue_us", "issue", "us", issued_us, 1);
    um_extra_number(row, "engines_busy", "engines", "busy",
                    (row->h2d_us + row->kernel_us + row->d2h_us) / row->total_us, 2);
    um_row_verified(row, um_verify_ints(run->strategy, out, n, run->seed, expected_steps));
cleanup:
    for (size_t i = 0; i < streams; i++) {
        if (stream[i])
            cudaStreamDestroy(stream[i]);
    }
    timeline_drop(&line);
    host_give_back(kind, in, NULL);
    host_give_back(kind, out, NULL);
    cudaFree(d);
}
