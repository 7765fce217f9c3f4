/**
 * @file lab6.c
 * @brief Lab 6: can I tell the driver what I know?
 *
 * Lab 5 let the driver find out by page faults which side needs which page. A program often knows this
 * before: `prefetch` moves pages ahead of their use, and advice (cudaMemAdvise) changes what a fault does.
 * Two stories are told with each hint that makes sense in them. Sharing: the host writes an array, both
 * sides read it round after round, and in the end the host writes again. Ping-pong: both sides change the
 * array, round after round. A third story, oversubscribed.c, has more data than the device has memory.
 *
 *     make lab6
 *     make lab6 ARGS="--size 64M --strategy nothing,read-mostly"
 */
#include "answers.h"
#include "kernels.h"
#include "oversubscribed.h"
#include "story.h"

/* In the order of the table of strategies at the end of this file. */
static const struct plan plans[] = {
    /* nothing */ {0},
    /* prefetch */ {.prefetch = true},
    /* read-mostly */ {.advices = 1, .advice = {{cudaMemAdviseSetReadMostly, GPU}}},
    /* prefer-gpu */ {.advices = 1, .advice = {{cudaMemAdviseSetPreferredLocation, GPU}}},
    /* prefer-host */ {.advices = 1, .advice = {{cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId}}},
    /* accessed-by */ {.advices = 1, .advice = {{cudaMemAdviseSetAccessedBy, GPU}}},
    /* ping-pong */ {0},
    /* ping-pong-prefetch */ {.prefetch = true},
    /* ping-pong-in-place */
    {.advices = 2,
     .advice = {{cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId}, {cudaMemAdviseSetAccessedBy, GPU}}},
};

/* Draws a turn of the first round; the pages go the same way in all others. */
static void draw_turn(const struct story *story, int round, const char *when)
{
    if (round == 0)
        draw(story, when);
}

/* True, after a row that says why, where this device cannot run the strategy. */
static bool skipped(struct um_run *run)
{
    const struct plan *plan = &plans[run->group];

    if (um_device()->managed && (um_device()->concurrent_managed || (!plan->prefetch && plan->advices == 0)))
        return false;
    um_row_skip(um_row(run, NULL), um_device()->managed
                                       ? "concurrentManagedAccess is 0: this driver takes no such hints"
                                       : "this device has no managed memory (managedMemory is 0)");
    return true;
}

/* Four sums at once: in one alone, each addition would wait for the one before, and not for memory. */
static double host_sum(const float *x, size_t n)
{
    double sum[4] = {0};

    for (size_t i = 0; i < n; i++)
        sum[i % 4] += x[i];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

static float rewritten(size_t i, uint64_t seed)
{
    return (float)um_value(seed + 1, i);
}

static int after_all_turns(size_t i, uint64_t seed)
{
    return (int)um_value(seed, i) + 2 * ROUNDS;
}

/* The host writes once; then both sides only read; at last the host writes again. */
static void sharing(struct um_run *run)
{
    const size_t bytes = run->size, n = bytes / sizeof(float);
    struct story story = {.plan = &plans[run->group], .bytes = bytes};
    double *gpu_sum = NULL, *partials = NULL, sums = 0, expected;
    int64_t faults;
    float *x = NULL;

    if (skipped(run))
        return;
    story.row = um_row(run, NULL);
    UM_TRY(cudaHostAlloc((void **)&gpu_sum, sizeof *gpu_sum, cudaHostAllocMapped));
    UM_TRY(cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials));
    um_phase(story.row, UM_PHASE_ALLOC);
    UM_TRY(cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal));
    story.x = x;
    um_phase_end(story.row);
    um_fill_floats(x, n, run->seed);
    UM_TRY(advise(&story));
    expected = host_sum(x, n);

    for (int round = 0; round < ROUNDS; round++) {
        um_phase(story.row, UM_PHASE_H2D);
        UM_TRY(bring_to(&story, GPU));
        um_phase(story.row, UM_PHASE_KERNEL);
        UM_TRY(um_sum(gpu_sum, partials, x, n, 0));
        UM_TRY(cudaDeviceSynchronize());
        draw_turn(&story, round, "GPU reads");
        um_phase(story.row, UM_PHASE_D2H);
        UM_TRY(bring_to(&story, cudaCpuDeviceId));
        um_phase(story.row, UM_PHASE_HOST);
        sums += *gpu_sum + host_sum(x, n);
        round_ends(&story, round);
        draw_turn(&story, round, "host reads");
    }
    faults = story.row->counters.cpu_faults;
    um_phase(story.row, UM_PHASE_HOST);
    um_fill_floats(x, n, run->seed + 1);
    um_phase_end(story.row);
    draw(&story, "host rewrites");
    um_extra_number(story.row, "rewrite_us", "rewrite", "us", story.row->total_us - story.before_us, 1);
    um_extra_count(story.row, "rewrite_cpu_faults", "rewrite: CPU", "faults",
                   faults == UM_NONE ? UM_NONE : story.row->counters.cpu_faults - faults);
    um_row_verified(story.row, um_verify_number(run->strategy, sums, 2 * ROUNDS * expected));
    um_row_verified(story.row, um_verify_floats(run->strategy, x, n, run->seed, rewritten));
cleanup:
    cudaFree(x);
    cudaFree(partials);
    cudaFreeHost(gpu_sum);
}

/* Host and GPU take turns: each adds one to every element, round after round. */
static void ping_pong(struct um_run *run)
{
    const size_t bytes = run->size, n = bytes / sizeof(int);
    struct story story = {.plan = &plans[run->group], .bytes = bytes};
    int *x = NULL;

    if (skipped(run))
        return;
    story.row = um_row(run, NULL);
    um_phase(story.row, UM_PHASE_ALLOC);
    UM_TRY(cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal));
    story.x = x;
    um_phase_end(story.row);
    um_fill_ints(x, n, run->seed);
    UM_TRY(advise(&story));

    for (int round = 0; round < ROUNDS; round++) {
        um_phase(story.row, UM_PHASE_H2D);
        UM_TRY(bring_to(&story, GPU));
        um_phase(story.row, UM_PHASE_KERNEL);
        UM_TRY(um_add_one(x, n, 0));
        UM_TRY(cudaDeviceSynchronize());
        draw_turn(&story, round, "GPU adds");
        um_phase(story.row, UM_PHASE_D2H);
        UM_TRY(bring_to(&story, cudaCpuDeviceId));
        um_phase(story.row, UM_PHASE_HOST);
        for (size_t i = 0; i < n; i++)
            x[i] += 1;
        round_ends(&story, round);
        draw_turn(&story, round, "host adds");
    }
    um_row_verified(story.row, um_verify_ints(run->strategy, x, n, run->seed, after_all_turns));
cleanup:
    cudaFree(x);
}

static void before(const struct um_results *results, FILE *out)
{
    fprintf(out, "Each strategy has %d rounds.\n", ROUNDS);
    um_print_managed(results, out);
}

static const struct um_question questions[] = {
    {"nothing", "MiB that go to the GPU in all rounds, told nothing", answer_nothing},
    {"prefetch", "the same, prefetched each way", answer_prefetch},
    {"read_mostly", "the same, with ReadMostly", answer_read_mostly},
    {"rewrite", "page faults of the host's new writes after that", answer_rewrite},
    {"prefer_gpu", "MiB that go there, with PreferredLocation GPU", answer_prefer_gpu},
    {"accessed_by", "the same, with AccessedBy GPU", answer_accessed_by},
    {"comes", "MiB that go there, oversubscribed", answer_comes},
    {"evicted", "blocks of 2 MiB evicted for that", answer_evicted},
    {0},
};

static const struct um_section sections[] = {
    {"nothing", "First half, sharing: the host writes, both sides read in each round, the host writes again"},
    {"ping-pong", "Second half, ping-pong: both sides change the array in each round"},
    {"oversubscribed", "Second half, more data than the GPU has memory"},
    {0},
};

static const struct um_strategy strategies[] = {
    {"nothing", "sharing, and the driver is told nothing", sharing},
    {"prefetch", "sharing: all pages are brought to each side before it reads", sharing},
    {"read-mostly", "sharing: ReadMostly, each side may keep a copy of its own", sharing},
    {"prefer-gpu", "sharing: PreferredLocation is the GPU", sharing},
    {"prefer-host", "sharing: PreferredLocation is the host", sharing},
    {"accessed-by", "sharing: AccessedBy the GPU", sharing},
    {"ping-pong", "ping-pong, and the driver is told nothing", ping_pong},
    {"ping-pong-prefetch", "ping-pong: all pages are brought to each side before its turn", ping_pong},
    {"ping-pong-in-place", "ping-pong: PreferredLocation is the host, AccessedBy the GPU", ping_pong},
    {"oversubscribed", "more data than device memory, and the driver is told nothing", oversubscribed},
    {"oversubscribed-hints", "more data than device memory: prefetched, left in place, partly kept",
     oversubscribed_hints},
};

_Static_assert(UM_COUNT(plans) == UM_COUNT(strategies) - 2, "a plan for each strategy of this file");

static const struct um_lab lab = {
    .name = "lab6",
    .question = "Can I tell the driver what I know?",
    .about = "Prefetches and advises managed memory, and counts what that saves, or costs.",
    .size_is = "bytes of the array; oversubscribed takes more where that fits into a small device",
    .default_size = (size_t)16 << 20,
    .managed_arrays = 1,
    .columns =
        UM_COLUMN_PHASES | UM_COLUMN_TOTAL | UM_COLUMN_FAULTS | UM_COLUMN_MIGRATED | UM_COLUMN_EVICTIONS,
    .strategies = strategies,
    .strategy_count = UM_COUNT(strategies),
    .sections = sections,
    .questions = questions,
    .before = before,
    .closing = answers_closing,
};

int main(int argc, char **argv)
{
    return um_lab_main(&lab, argc, argv);
}
