/**
 * @file relay.c
 * @brief Implementation of relay.h: an array that goes to and fro between two devices.
 */
#include "relay.h"

/* How the array gets to the device whose turn it is. */
enum way {
    THROUGH_HOST, /* two copies, by a pinned buffer of the host's */
    STAGED,       /* cudaMemcpyPeer without access: the driver does the same */
    PEER_COPY,    /* cudaMemcpyPeer over the link */
    DIRECT,       /* it stays on device 0: the other one's kernel goes there */
    MANAGED,      /* by the page faults of whoever touches it */
    PREFETCHED,   /* cudaMemPrefetchAsync, then there are no faults */
    IN_PLACE      /* it prefers device 0, and device 1 has it mapped */
};

/* In the order of the lab's table. */
static const struct {
    enum way way;
    unsigned needs;
} ways[] = {{THROUGH_HOST, NEEDS_NOTHING}, {STAGED, NEEDS_NOTHING},  {PEER_COPY, NEEDS_ACCESS},
            {DIRECT, NEEDS_ACCESS},        {MANAGED, NEEDS_MANAGED}, {PREFETCHED, NEEDS_MANAGED},
            {IN_PLACE, NEEDS_MANAGED}};

/* One run: `x` is the array as each device knows it, two arrays or twice the same. */
struct relay {
    enum way way;
    size_t bytes;
    int *x[DEVICES], *buffer;
    struct um_row *row;
};

static bool is_managed(enum way way)
{
    return way >= MANAGED;
}

static int after_all_turns(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i) + TURNS;
}

static cudaError_t get(struct relay *it)
{
    cudaError_t error;

    if (is_managed(it->way)) {
        error = cudaMallocManaged((void **)&it->x[0], it->bytes, cudaMemAttachGlobal);
        it->x[1] = it->x[0];
        return error;
    }
    error = pair_malloc(0, (void **)&it->x[0], it->bytes);
    it->x[1] = it->x[0];
    if (error == cudaSuccess && it->way != DIRECT)
        error = pair_malloc(1, (void **)&it->x[1], it->bytes);
    if (error == cudaSuccess && it->way == THROUGH_HOST)
        error = cudaHostAlloc((void **)&it->buffer, it->bytes, cudaHostAllocPortable);
    return error;
}

static void give_back(struct relay *it)
{
    if (it->x[1] != it->x[0])
        cudaFree(it->x[1]);
    cudaFree(it->x[0]);
    cudaFreeHost(it->buffer);
}

/* The data is on device 0, where the first turn is. */
static cudaError_t fill(const struct relay *it, uint64_t seed)
{
    int *values = malloc(it->bytes);
    cudaError_t error = cudaErrorMemoryAllocation;

    if (!values)
        return error;
    um_fill_ints(values, it->bytes / sizeof(int), seed);
    error = cudaMemcpy(it->x[0], values, it->bytes, cudaMemcpyDefault);
    free(values);
    if (error == cudaSuccess && it->way == IN_PLACE)
        error = um_advise(it->x[0], it->bytes, cudaMemAdviseSetPreferredLocation, 0); /* cudaMemAdvise */
    if (error == cudaSuccess && is_managed(it->way))
        error = um_prefetch(it->x[0], it->bytes, 0, 0); /* cudaMemPrefetchAsync */
    if (error == cudaSuccess && it->way == IN_PLACE)
        error = um_advise(it->x[0], it->bytes, cudaMemAdviseSetAccessedBy, 1);
    return error == cudaSuccess ? pair_wait() : error;
}

static cudaError_t through_host(const struct relay *it, int from, int to)
{
    cudaError_t error =
        cudaMemcpyAsync(it->buffer, it->x[from], it->bytes, cudaMemcpyDeviceToHost, side[from].kernels);

    if (error == cudaSuccess)
        error = cudaStreamSynchronize(side[from].kernels);
    if (error == cudaSuccess)
        error = pair_on(to);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(it->x[to], it->buffer, it->bytes, cudaMemcpyHostToDevice, side[to].kernels);
    um_row_copied_d2h(it->row, it->bytes);
    um_row_copied_h2d(it->row, it->bytes);
    return error;
}

/* The other device's work is done. The array is on its way to `to`, in a stream of one of the two. */
static cudaError_t hand_over(const struct relay *it, int from, int to)
{
    switch (it->way) {
    case THROUGH_HOST:
        return through_host(it, from, to);
    case STAGED:
    case PEER_COPY:
        um_row_copied_d2d(it->row, it->bytes);
        return cudaMemcpyPeerAsync(it->x[to], to, it->x[from], from, it->bytes, side[from].kernels);
    case PREFETCHED:
        return um_prefetch(it->x[to], it->bytes, to, side[to].kernels);
    default:
        return cudaSuccess; /* whoever touches it next finds it, or has it brought */
    }
}

/* One device's turn. */
static bool turn(const struct relay *it, int number)
{
    const int mine = number % DEVICES;

    UM_TRY(pair_on(mine));
    if (number > 0) {
        um_phase(it->row, UM_PHASE_MIXED);
        UM_TRY(hand_over(it, 1 - mine, mine));
        UM_TRY(cudaStreamSynchronize(side[1 - mine].kernels));
        UM_TRY(cudaStreamSynchronize(side[mine].kernels));
    }
    um_phase(it->row, UM_PHASE_KERNEL);
    UM_TRY(um_add_one(it->x[mine], it->bytes / sizeof(int), side[mine].kernels));
    UM_TRY(cudaStreamSynchronize(side[mine].kernels));
    um_phase_end(it->row);
    return true;
cleanup:
    return false;
}

void relay(struct um_run *run)
{
    struct relay it = {.way = ways[run->group].way, .bytes = run->size};
    const size_t n = run->size / sizeof(int);
    int *found = NULL;
    /* Device 1 has half of the turns; each reads and writes the array. */
    const double far = it.way == DIRECT || it.way == IN_PLACE ? TURNS / 2 * 2.0 * (double)run->size : 0;

    it.row = pair_begin(run, ways[run->group].needs);
    if (!it.row)
        return;
    UM_NEED(found = malloc(run->size));
    UM_TRY(get(&it));
    UM_TRY(fill(&it, run->seed));
    for (int number = 0; number < TURNS; number++) {
        if (!turn(&it, number))
            goto cleanup;
    }
    um_extra_number(it.row, "hand_over_us", "hand over", "us", um_phase_us(it.row, UM_PHASE_MIXED), 1);
    pair_tell(it.row, far);
    UM_TRY(cudaMemcpy(found, it.x[1], run->size, cudaMemcpyDefault)); /* the last turn was device 1's */
    um_row_verified(it.row, um_verify_ints(run->strategy, found, n, run->seed, after_all_turns));
cleanup:
    give_back(&it);
    free(found);
    pair_end();
}
