/**
 * @file sums.c
 * @brief Lab 10, third part (shared.h): each device has a half, and one number is wanted.
 */
#include "shared.h"

/* Which way the numbers go. In the order of the lab's table. */
enum plan {
    READ_FAR, /* device 0 adds up both halves, the other one where it is */
    GATHER,   /* ... where it has been copied to */
    EACH_ITS_OWN
};

/* What a device needs to add up an array. */
struct adder {
    float *x;
    double *sum; /* device memory: the result, and the partial sums behind it */
};

/* One run. */
struct sums {
    enum plan plan;
    size_t n; /* floats of a half */
    struct adder adder[DEVICES];
    float *gathered;
    double *result; /* pinned: of each half */
    struct um_row *row;
};

static cudaError_t get(struct sums *it, uint64_t seed)
{
    const size_t bytes = it->n * sizeof(float);
    float *values = malloc(bytes);
    cudaError_t error = values ? cudaSuccess : cudaErrorMemoryAllocation;

    for (int d = DEVICES - 1; d >= 0 && error == cudaSuccess; d--) {
        struct adder *adder = &it->adder[d];

        error = pair_malloc(d, (void **)&adder->x, bytes);
        if (error == cudaSuccess)
            error = pair_malloc(d, (void **)&adder->sum, (UM_SUM_BLOCKS + 1) * sizeof(double));
        um_fill_floats(values, it->n, seed + (uint64_t)d);
        if (error == cudaSuccess)
            error = cudaMemcpy(adder->x, values, bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess && it->plan == GATHER)
        error = pair_malloc(0, (void **)&it->gathered, bytes);
    if (error == cudaSuccess)
        error = cudaHostAlloc((void **)&it->result, DEVICES * sizeof *it->result, cudaHostAllocPortable);
    free(values);
    return error == cudaSuccess ? pair_wait() : error;
}

static void give_back(struct sums *it)
{
    for (int d = 0; d < DEVICES; d++) {
        cudaFree(it->adder[d].x);
        cudaFree(it->adder[d].sum);
    }
    cudaFree(it->gathered);
    cudaFreeHost(it->result);
}

/* Device `d` adds up half `which`, which it finds at x. */
static cudaError_t add_up(const struct sums *it, int d, int which, const float *x)
{
    double *sum = it->adder[d].sum;
    const cudaStream_t stream = side[d].kernels;
    cudaError_t error = pair_on(d);

    if (error == cudaSuccess)
        error = um_sum(sum, sum + 1, x, it->n, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(&it->result[which], sum, sizeof *sum, cudaMemcpyDeviceToHost, stream);
    um_row_copied_d2h(it->row, sizeof *sum);
    return error;
}

static cudaError_t add_all(const struct sums *it)
{
    const size_t bytes = it->n * sizeof(float);
    const float *other = it->adder[1].x;
    cudaError_t error = cudaSuccess;

    if (it->plan == GATHER) {
        error = cudaMemcpyPeerAsync(it->gathered, 0, other, 1, bytes, side[0].kernels);
        um_row_copied_d2d(it->row, bytes);
        other = it->gathered;
    }
    if (error == cudaSuccess)
        error = add_up(it, it->plan == EACH_ITS_OWN ? 1 : 0, 1, other);
    if (error == cudaSuccess)
        error = add_up(it, 0, 0, it->adder[0].x);
    return error == cudaSuccess ? pair_wait() : error;
}

static double expected_sum(size_t n, uint64_t seed)
{
    double sum = 0;

    for (int d = 0; d < DEVICES; d++) {
        for (size_t i = 0; i < n; i++)
            sum += um_value(seed + (uint64_t)d, i);
    }
    return sum;
}

void sums(struct um_run *run, int first)
{
    struct sums it = {.plan = (enum plan)(run->group - first), .n = run->size / sizeof(float) / DEVICES};

    it.row = pair_begin(run, it.plan == EACH_ITS_OWN ? NEEDS_NOTHING : NEEDS_ACCESS);
    if (!it.row)
        return;
    UM_TRY(get(&it, run->seed));
    um_phase(it.row, UM_PHASE_MIXED);
    UM_TRY(add_all(&it));
    um_phase_end(it.row);
    pair_tell(it.row, it.plan == READ_FAR ? (double)(it.n * sizeof(float)) : 0);
    um_row_verified(
        it.row, um_verify_number(run->strategy, it.result[0] + it.result[1], expected_sum(it.n, run->seed)));
cleanup:
    give_back(&it);
    pair_end();
}
