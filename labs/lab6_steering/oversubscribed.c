/**
 * @file oversubscribed.c
 * @brief Implementation of oversubscribed.h: the walk through more managed memory than the GPU has.
 */
#include "oversubscribed.h"

#define PIECE ((size_t)8 << 20)

/* A device no larger than this is filled on purpose, whatever --size says. */
#define SMALL_DEVICE ((size_t)256 << 20)

/* How the walk is made. */
struct way {
    const char *row;
    bool prefetch; /**< bring each piece to the GPU before its kernel */
    bool in_place; /**< what is not kept stays with the host, and the GPU reaches it across the bus */
    bool keep;     /**< with in_place: as many pieces as fit stay on the GPU */
};

struct walk {
    struct story story;
    const struct way *way;
    int *x, *table;
    int uses;  /**< of the table */
    int comes; /**< how often the table had to be brought to the GPU for that */
};

static int after_all_rounds(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i) + ROUNDS;
}

/* Bytes of the array: more than the device's free memory; 0 where that would be too much for this lab. */
static size_t more_than(size_t free_bytes, const struct um_run *run)
{
    if (run->size + TABLE > free_bytes)
        return run->size;
    return free_bytes <= SMALL_DEVICE ? (free_bytes + free_bytes / 2) / PIECE * PIECE : 0;
}

/* True, after a row that gives the reason, where there is nothing to see or the risk is too high. */
static bool nothing_oversubscribed(struct um_run *run)
{
    char needed[UM_SIZE_TEXT], available[UM_SIZE_TEXT];
    const size_t free_bytes = free_on_device();

    if (!um_is_sim())
        um_row_skip(um_row(run, NULL),
                    "simulator only: asking a real card for more memory than it has can hang it");
    else if (!um_device()->managed || !um_device()->concurrent_managed)
        um_row_skip(um_row(run, NULL),
                    "concurrentManagedAccess is 0: managed memory cannot exceed the device's there");
    else if (more_than(free_bytes, run) == 0)
        um_row_skip(um_row(run, NULL), "%s fit into the device's %s; try: make lab6 PROFILE=tiny",
                    um_size_text((double)run->size, needed), um_size_text((double)free_bytes, available));
    else
        return false;
    return true;
}

/* Tells the driver once which memory should stay where, and brings what should be on the GPU. */
static cudaError_t place(const struct walk *walk, size_t free_bytes)
{
    char *x = walk->story.x;
    size_t kept = 0, rest;
    cudaError_t error = cudaSuccess;

    if (!walk->way->in_place)
        return cudaSuccess;
    if (walk->way->keep && free_bytes > TABLE)
        kept = (free_bytes - TABLE) / PIECE * PIECE;
    rest = walk->story.bytes - kept;
    um_phase(walk->story.row, UM_PHASE_ADVICE);
    if (kept > 0)
        error = um_advise(x, kept, cudaMemAdviseSetPreferredLocation, GPU);
    if (error == cudaSuccess)
        error = um_advise(x + kept, rest, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
    if (error == cudaSuccess)
        error = um_advise(x + kept, rest, cudaMemAdviseSetAccessedBy, GPU);
    um_phase(walk->story.row, UM_PHASE_H2D);
    if (kept > 0 && error == cudaSuccess)
        error = um_prefetch(x, kept, GPU, 0);
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

/* A kernel on one piece, brought in time where the way says so; then one on the table. */
static cudaError_t walk_piece(struct walk *walk, size_t from, size_t bytes)
{
    int *piece = walk->x + from / sizeof(int);
    struct um_counters before, moved;
    cudaError_t error = cudaSuccess;

    if (walk->way->prefetch) {
        um_phase(walk->story.row, UM_PHASE_H2D);
        error = um_prefetch(piece, bytes, GPU, 0);
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize(); /* so that its time stands in this phase */
    }
    um_phase(walk->story.row, UM_PHASE_KERNEL);
    if (error == cudaSuccess)
        error = um_add_one(piece, bytes / sizeof(int), 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    before = um_counters_now();
    if (error == cudaSuccess)
        error = um_add_one(walk->table, TABLE / sizeof(int), 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    moved = um_counters_difference(before, um_counters_now());
    walk->uses++;
    walk->comes += moved.bytes_migrated_h2d > 0;
    return error;
}

static cudaError_t walk_round(struct walk *walk, int round)
{
    char when[24];
    cudaError_t error = cudaSuccess;

    for (size_t from = 0; from < walk->story.bytes && error == cudaSuccess; from += PIECE) {
        const size_t left = walk->story.bytes - from;
        error = walk_piece(walk, from, left < PIECE ? left : PIECE);
    }
    round_ends(&walk->story, round);
    snprintf(when, sizeof when, "round %d", round + 1);
    draw(&walk->story, when);
    return error;
}

/* The host uses the results: their sum, and then each of them is verified. */
static bool host_reads(struct walk *walk, uint64_t seed)
{
    const size_t n = walk->story.bytes / sizeof(int);
    int64_t sum = 0, expected = 0;
    bool right;

    um_phase(walk->story.row, UM_PHASE_HOST);
    for (size_t i = 0; i < n; i++)
        sum += walk->x[i];
    um_phase_end(walk->story.row);
    draw(&walk->story, "host reads");
    for (size_t i = 0; i < n; i++)
        expected += after_all_rounds(i, seed);
    right = um_verify_number("the sum", (double)sum, (double)expected);
    for (size_t i = 0; i < TABLE / sizeof(int) && right; i++)
        right = walk->table[i] == (int)um_value(seed + 1, i) + walk->uses;
    return um_verify_ints(walk->way->row, walk->x, n, seed, after_all_rounds) && right;
}

static void walk_through(struct um_run *run, const struct way *way)
{
    static const struct plan no_plan;
    struct walk walk = {.way = way};
    const size_t free_bytes = free_on_device(), bytes = more_than(free_bytes, run);

    walk.story = (struct story){.plan = &no_plan, .row = um_row(run, way->row), .bytes = bytes};
    walk.story.row->size_bytes = bytes;
    um_phase(walk.story.row, UM_PHASE_ALLOC);
    UM_TRY(cudaMallocManaged((void **)&walk.x, bytes, cudaMemAttachGlobal));
    UM_TRY(cudaMallocManaged((void **)&walk.table, TABLE, cudaMemAttachGlobal));
    um_phase_end(walk.story.row);
    walk.story.x = walk.x;
    um_fill_ints(walk.x, bytes / sizeof(int), run->seed);
    um_fill_ints(walk.table, TABLE / sizeof(int), run->seed + 1);

    UM_TRY(advise(&walk.story));
    UM_TRY(place(&walk, free_bytes));
    um_phase_end(walk.story.row);
    walk.story.before_us = walk.story.row->total_us;
    for (int round = 0; round < ROUNDS; round++)
        UM_TRY(walk_round(&walk, round));
    um_row_verified(walk.story.row, host_reads(&walk, run->seed));
    um_extra_count(walk.story.row, "table_comes", "table comes", "to the GPU", walk.comes);
cleanup:
    cudaFree(walk.table);
    cudaFree(walk.x);
}

void oversubscribed(struct um_run *run)
{
    static const struct way way = {.row = "oversubscribed"};

    if (!nothing_oversubscribed(run))
        walk_through(run, &way);
}

void oversubscribed_hints(struct um_run *run)
{
    static const struct way ways[] = {
        {.row = "oversubscribed: prefetch", .prefetch = true},
        {.row = "oversubscribed: in place", .in_place = true},
        {.row = "oversubscribed: keep", .in_place = true, .keep = true},
    };

    if (nothing_oversubscribed(run))
        return;
    for (size_t i = 0; i < UM_COUNT(ways); i++)
        walk_through(run, &ways[i]);
}
