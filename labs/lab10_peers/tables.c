/**
 * @file tables.c
 * @brief Lab 10, fourth part (shared.h): a table of the host's, of which both devices look up a part, again
 * and again.
 */
#include "shared.h"

/* Where the devices find it. In the order of the lab's table. */
enum plan {
    COPY_EACH,    /* the host sends it twice */
    COPY_ON,      /* the host sends it once, and device 0 to device 1 */
    ON_THE_FIRST, /* it is on device 0 only */
    MANAGED,
    READ_MOSTLY /* managed, with cudaMemAdviseSetReadMostly */
};

/* What a device looks up with. */
struct reader {
    float *table, *found;
    uint32_t *index;
};

/* One run. */
struct tables {
    enum plan plan;
    size_t n, lookups;
    float *host;     /* pinned; of managed memory: the table itself */
    uint32_t *index; /* the host's */
    float *found;
    struct reader reader[DEVICES];
    struct um_row *row;
};

static bool is_managed(enum plan plan)
{
    return plan == MANAGED || plan == READ_MOSTLY;
}

static cudaError_t get_reader(struct tables *it, int d)
{
    struct reader *reader = &it->reader[d];
    const size_t bytes = it->lookups * sizeof(float);
    cudaError_t error = pair_malloc(d, (void **)&reader->found, bytes);

    if (error == cudaSuccess)
        error = pair_malloc(d, (void **)&reader->index, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(reader->index, it->index, bytes, cudaMemcpyHostToDevice);
    if (is_managed(it->plan))
        reader->table = it->host;
    else if (it->plan == ON_THE_FIRST && d == 1)
        reader->table = it->reader[0].table;
    else if (error == cudaSuccess)
        error = pair_malloc(d, (void **)&reader->table, it->n * sizeof(float));
    return error;
}

static cudaError_t get(struct tables *it, uint64_t seed)
{
    const size_t bytes = it->n * sizeof(float);
    cudaError_t error = is_managed(it->plan)
                            ? cudaMallocManaged((void **)&it->host, bytes, cudaMemAttachGlobal)
                            : cudaHostAlloc((void **)&it->host, bytes, cudaHostAllocPortable);

    it->index = malloc(it->lookups * sizeof *it->index);
    it->found = malloc(it->lookups * sizeof *it->found);
    if (!it->index || !it->found)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < it->lookups; i++) {
        /* 2^32 divided by the golden ratio: multiples of it fall far apart. */
        it->index[i] = (uint32_t)((uint64_t)((uint32_t)(i + seed) * UINT32_C(2654435769)) * it->n >> 32);
    }
    if (error == cudaSuccess)
        um_fill_floats(it->host, it->n, seed);
    for (int d = 0; d < DEVICES && error == cudaSuccess; d++)
        error = get_reader(it, d);
    return error == cudaSuccess ? pair_wait() : error;
}

static void give_back(struct tables *it)
{
    for (int d = 0; d < DEVICES; d++) {
        cudaFree(it->reader[d].found);
        cudaFree(it->reader[d].index);
        if (!is_managed(it->plan) && (d == 0 || it->reader[d].table != it->reader[0].table))
            cudaFree(it->reader[d].table);
    }
    if (is_managed(it->plan))
        cudaFree(it->host);
    else
        cudaFreeHost(it->host);
    free(it->index);
    free(it->found);
}

static cudaError_t send(const struct tables *it, int d)
{
    cudaError_t error = pair_on(d);

    um_row_copied_h2d(it->row, it->n * sizeof(float));
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(it->reader[d].table, it->host, it->n * sizeof(float), cudaMemcpyHostToDevice,
                                side[d].kernels);
    return error;
}

/* The table goes to where it is looked up in. */
static cudaError_t distribute(const struct tables *it)
{
    const size_t bytes = it->n * sizeof(float);
    cudaError_t error;

    if (it->plan == MANAGED)
        return cudaSuccess;
    if (it->plan == READ_MOSTLY)
        return um_advise(it->host, bytes, cudaMemAdviseSetReadMostly, 0); /* cudaMemAdvise */
    error = send(it, 0);
    if (error == cudaSuccess && it->plan == COPY_EACH)
        error = send(it, 1);
    if (error == cudaSuccess && it->plan == COPY_ON) {
        error = cudaMemcpyPeerAsync(it->reader[1].table, 1, it->reader[0].table, 0, bytes, side[0].kernels);
        um_row_copied_d2d(it->row, bytes);
    }
    return error == cudaSuccess ? pair_wait() : error;
}

/* One after the other, so that each finds what the other one has left. */
static bool look_up(const struct tables *it)
{
    for (int d = 0; d < DEVICES; d++) {
        const struct reader *reader = &it->reader[d];

        UM_TRY(pair_on(d));
        UM_TRY(um_gather(reader->found, reader->table, reader->index, it->lookups, side[d].kernels));
        UM_TRY(cudaStreamSynchronize(side[d].kernels));
    }
    return true;
cleanup:
    return false;
}

static const uint32_t *looked_at; /* for expected_value() */

static float expected_value(size_t i, uint64_t seed)
{
    return (float)um_value(seed, looked_at[i]);
}

static bool right(const struct um_run *run, const struct tables *it)
{
    bool good = true;

    looked_at = it->index;
    for (int d = 0; d < DEVICES && good; d++) {
        UM_TRY(cudaMemcpy(it->found, it->reader[d].found, it->lookups * sizeof *it->found,
                          cudaMemcpyDeviceToHost));
        good = um_verify_floats(run->strategy, it->found, it->lookups, run->seed, expected_value);
    }
    return good;
cleanup:
    return false;
}

void tables(struct um_run *run, int first)
{
    static const unsigned needs[] = {NEEDS_NOTHING, NEEDS_ACCESS, NEEDS_ACCESS, NEEDS_MANAGED, NEEDS_MANAGED};
    struct tables it = {.plan = (enum plan)(run->group - first), .n = run->size / sizeof(float)};
    double first_us = 0;

    it.lookups = it.n / LOOKUP_PART;
    it.row = pair_begin(run, needs[it.plan]);
    if (!it.row)
        return;
    UM_TRY(get(&it, run->seed));
    um_phase(it.row, UM_PHASE_MIXED);
    UM_TRY(distribute(&it));
    for (int round = 0; round < ROUNDS; round++) {
        um_phase(it.row, UM_PHASE_KERNEL);
        if (!look_up(&it))
            goto cleanup;
        um_phase_end(it.row);
        if (round == 0)
            first_us = um_phase_us(it.row, UM_PHASE_KERNEL);
    }
    um_extra_number(it.row, "first_round_us", "round 1", "us", first_us, 1);
    pair_tell(it.row, it.plan == ON_THE_FIRST ? (double)ROUNDS * (double)it.lookups * UM_FETCH_BYTES : 0);
    um_row_verified(it.row, right(run, &it));
cleanup:
    give_back(&it);
    pair_end();
}
