/**
 * @file patterns.c
 * @brief Ping-pong between host and device over one allocation, in every pattern, under every advice and
 * schedule: the data is right every time, and so is where it is.
 *
 * A pattern is a list of places. In each round two streams add to the places of one half each, with a
 * prefetch under way in one of them; a third kernel, behind an event, adds to all; then the host checks each
 * place and adds, too. The order is the program's at every place, and nobody's anywhere else: the places of
 * both streams share pages.
 *
 * Host and simulated GPU share one physical memory, so a page that fails to move still has the right data.
 * Therefore each turn also checks on which side the page of each place is: a side that could go on using a
 * page which it has lost would take no fault, and the page would not come. (Seen to fail when host pages are
 * not closed, when the GPU's are not, when ReadMostly leaves a copy writable, and when a stream does not wait
 * for an event.)
 */
#include <string.h>

#include "again.h"
#include "kernels_here.h"
#include "moves.h"

enum { ROUNDS = 3, PLACES_MAX = 8192, RANDOM_PLACES = 200, MIB_MAX = 8 };

/** What is advised, and what then becomes of a page that the host has and the device writes. */
static const struct {
    const char *name;
    bool stays;      /* on the host: the device reaches it there; else it goes to the device */
    bool prefetched; /* all of it, before each side's turn */
    int count;
    struct {
        enum cudaMemoryAdvise what;
        int processor;
    } advice[2];
} advices[] = {
    {"no advice", .count = 0},
    {"no advice, prefetched each way", .prefetched = true},
    {"ReadMostly", .count = 1, .advice = {{cudaMemAdviseSetReadMostly, 0}}},
    {"ReadMostly, prefetched each way", .prefetched = true, .count = 1,
     .advice = {{cudaMemAdviseSetReadMostly, 0}}},
    {"PreferredLocation=host", .stays = true, .count = 1,
     .advice = {{cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId}}},
    {"PreferredLocation=device", .count = 1, .advice = {{cudaMemAdviseSetPreferredLocation, 0}}},
    {"AccessedBy=device", .stays = true, .count = 1, .advice = {{cudaMemAdviseSetAccessedBy, 0}}},
    {"AccessedBy=host", .count = 1, .advice = {{cudaMemAdviseSetAccessedBy, cudaCpuDeviceId}}},
    {"PreferredLocation=host, AccessedBy=device", .stays = true, .count = 2,
     .advice = {{cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId}, {cudaMemAdviseSetAccessedBy, 0}}},
    {"PreferredLocation=device, AccessedBy=host", .count = 2,
     .advice = {{cudaMemAdviseSetPreferredLocation, 0}, {cudaMemAdviseSetAccessedBy, cudaCpuDeviceId}}},
    {"ReadMostly, PreferredLocation=host", .count = 2,
     .advice = {{cudaMemAdviseSetReadMostly, 0}, {cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId}}},
    {"ReadMostly, AccessedBy=device", .count = 2,
     .advice = {{cudaMemAdviseSetReadMostly, 0}, {cudaMemAdviseSetAccessedBy, 0}}},
};
enum { ADVICES = sizeof advices / sizeof *advices };

static const struct {
    const char *name;
    size_t step; /* bytes from place to place; 0: random */
} patterns[] = {
    {"linear", 2048}, {"random", 0}, {"4 KiB", 4096}, {"64 KiB", 64 * KiB}, {"2 MiB", BLOCK},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/** One ping-pong. */
struct game {
    int *x, *wanted;
    size_t n;                       /* elements of x */
    uint32_t at[PLACES_MAX], *d_at; /* places, all different */
    size_t places;
    cudaStream_t stream[2];
    cudaEvent_t ready[2];
    bool declared;
    int pattern, advice, round;
};

static struct game game;

static uint64_t random_bits(uint64_t *state) /* xorshift64, Marsaglia 2003 */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Random places differ because each is in a range of its own; then they are shuffled. */
static void choose_places(size_t step, uint64_t seed)
{
    const size_t range = step ? step / sizeof(int) : game.n / RANDOM_PLACES;
    uint64_t state = 2 * seed + 1;

    game.places = 0;
    for (size_t i = 0; i < game.n && game.places < PLACES_MAX; i += range)
        game.at[game.places++] =
            (uint32_t)(step ? i : i + random_bits(&state) % (game.n - i < range ? game.n - i : range));
    for (size_t i = game.places; step == 0 && i-- > 1;) {
        const size_t other = random_bits(&state) % (i + 1);
        const uint32_t kept = game.at[i];

        game.at[i] = game.at[other];
        game.at[other] = kept;
    }
    SCENE_CALL(cudaMemcpy(game.d_at, game.at, game.places * sizeof *game.at, cudaMemcpyHostToDevice));
    SCENE_CALL(cudaDeviceSynchronize()); /* a copy of pageable memory may return before it has arrived */
}

static void prefetch_all(int processor, cudaStream_t stream)
{
    if (advices[game.advice].prefetched)
        SCENE_CALL(um_prefetch(game.x, game.n * sizeof *game.x, processor, stream));
}

/* Of the second MiB, in stream 1: to the device, to the host, not at all, by turns. */
static void prefetch_some(void)
{
    if (game.round % 3 != 2)
        SCENE_CALL(
            um_prefetch((char *)game.x + MiB, MiB, game.round % 3 ? cudaCpuDeviceId : 0, game.stream[1]));
}

static void device_turn(void)
{
    const size_t half = game.places / 2;

    prefetch_all(0, game.stream[0]);
    SCENE_CALL(here_add_at(game.x, game.n, game.d_at, half, 3, game.declared, game.stream[0]));
    prefetch_some();
    SCENE_CALL(
        here_add_at(game.x, game.n, game.d_at + half, game.places - half, 5, !game.declared, game.stream[1]));
    SCENE_CALL(cudaEventRecord(game.ready[1], game.stream[1]));
    SCENE_CALL(cudaStreamWaitEvent(game.stream[0], game.ready[1], 0));
    SCENE_CALL(here_add_at(game.x, game.n, game.d_at, game.places, 7, game.declared, game.stream[0]));
    SCENE_CALL(cudaEventRecord(game.ready[0], game.stream[0]));
    for (size_t i = 0; i < game.places; i++)
        game.wanted[game.at[i]] += 7 + (i < half ? 3 : 5);
}

/* The device has written all places last: 'G', unless what was advised keeps them, and no prefetch took them
 * along. */
static char place_after_device(size_t offset)
{
    const bool prefetched_last = offset / MiB == 1 && game.round % 3 == 0;

    return advices[game.advice].stays && !prefetched_last ? 'H' : 'G';
}

static char place_after_host(size_t offset)
{
    (void)offset;
    return 'H'; /* this host cannot reach device memory: what it touches comes */
}

static void places_are(const char *when, char (*wanted)(size_t offset))
{
    static char bar[MIB_MAX * MiB / PAGE + 1];
    const size_t bytes = game.n * sizeof *game.x;

    SCENE_NEED(umsim_residency(game.x, bytes, bar, bytes / PAGE) == bytes / PAGE, "no picture");
    for (size_t i = 0; i < game.places; i++) {
        const size_t offset = game.at[i] * sizeof *game.x;

        SCENE_NEED(bar[offset / PAGE] == wanted(offset),
                   "%s, %s, round %d, %s: the page %zu is at %c and should be at %c",
                   patterns[game.pattern].name, advices[game.advice].name, game.round, when, offset / PAGE,
                   bar[offset / PAGE], wanted(offset));
    }
}

static void host_turn(void)
{
    prefetch_all(cudaCpuDeviceId, game.stream[0]);
    SCENE_CALL(cudaStreamSynchronize(game.stream[0]));
    for (size_t i = 0; i < game.places; i++) {
        const uint32_t k = game.at[i];

        SCENE_NEED(game.x[k] == game.wanted[k], "%s, %s, round %d: element %u is %d and should be %d",
                   patterns[game.pattern].name, advices[game.advice].name, game.round, k, game.x[k],
                   game.wanted[k]);
        game.wanted[k] += game.round + 1;
        game.x[k] += game.round + 1;
    }
}

static void play(uint64_t seed)
{
    SCENE_CALL(cudaMallocManaged((void **)&game.x, game.n * sizeof *game.x, cudaMemAttachGlobal));
    for (int i = 0; i < advices[game.advice].count; i++)
        SCENE_CALL(um_advise(game.x, game.n * sizeof *game.x, advices[game.advice].advice[i].what,
                             advices[game.advice].advice[i].processor));
    choose_places(patterns[game.pattern].step, seed);
    for (size_t i = 0; i < game.places; i++)
        game.x[game.at[i]] = game.wanted[game.at[i]] = (int)i;
    for (game.round = 0; game.round < ROUNDS; game.round++) {
        game.declared = !game.declared;
        device_turn();
        SCENE_CALL(game.round % 2 ? cudaDeviceSynchronize() : cudaEventSynchronize(game.ready[0]));
        places_are("after the device", place_after_device);
        host_turn();
        places_are("after the host", place_after_host);
    }
    SCENE_CALL(cudaFree(game.x));
}

/* All patterns: with advice number UM_ADVICE, or with each. */
static void play_all(void)
{
    const long only = scene_setting("UM_ADVICE", -1);
    const uint64_t seed = (uint64_t)scene_setting("UM_SEED", 1);
    int plays = 0;

    game.n = (size_t)scene_setting("UM_MIB", 3) * MiB / sizeof *game.x;
    game.wanted = calloc(game.n, sizeof *game.wanted);
    SCENE_NEED(game.wanted, "no memory");
    SCENE_CALL(cudaMalloc((void **)&game.d_at, PLACES_MAX * sizeof *game.d_at));
    for (int i = 0; i < 2; i++) {
        SCENE_CALL(cudaStreamCreateWithFlags(&game.stream[i], cudaStreamNonBlocking));
        SCENE_CALL(cudaEventCreateWithFlags(&game.ready[i], cudaEventDisableTiming));
    }
    for (game.advice = 0; game.advice < ADVICES; game.advice++)
        for (game.pattern = 0; game.pattern < PATTERNS && (only < 0 || only == game.advice); game.pattern++) {
            play(seed);
            plays++;
        }
    printf("plays=%d\n", plays);
}
SCENE("patterns", play_all)

static bool right_under(const char *schedule, long advice, long seed)
{
    static struct again run;
    char sched[40], which[40], seeded[40], size[40];

    snprintf(sched, sizeof sched, "UMSIM_SCHED=%s", schedule);
    snprintf(which, sizeof which, "UM_ADVICE=%ld", advice);
    snprintf(seeded, sizeof seeded, "UM_SEED=%ld", seed);
    snprintf(size, sizeof size, "UM_MIB=%d", long_version() ? MIB_MAX : 3);
    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "patterns", .settings = {sched, which, seeded, size}};
    again(&run);
    if (!again_ended_well(&run))
        return false;
    UM_EQUAL(again_number(&run, "plays"), PATTERNS * (advice < 0 ? ADVICES : 1));
    return true;
}

static void the_data_is_right_in_every_pattern_with_each_advice_under_lazy(void)
{
    right_under("lazy", -1, 1);
}

static void the_data_is_right_in_every_pattern_with_each_advice_under_eager(void)
{
    for (int i = 0; i < (long_version() ? 20 : 1); i++)
        right_under("eager", -1, i);
}

/* The short version takes one advice a seed; the places differ with the seed, too. On an emulated machine the
 * hundred take an hour: UM_SEEDS=1-25 makes a part of them, so that several machines can share them. */
static void the_data_is_right_in_every_pattern_under_100_random_schedules(void)
{
    const char *part = getenv("UM_SEEDS");
    int first = 1, last = 100;
    char schedule[40];

    if (part && (sscanf(part, "%d-%d", &first, &last) != 2 || first < 1 || last < first)) {
        UM_FAIL("UM_SEEDS is \"%s\"; it has to be FIRST-LAST, as 1-25", part);
        return;
    }
    for (int seed = first; seed <= last; seed++) {
        snprintf(schedule, sizeof schedule, "random:%d", seed);
        if (!right_under(schedule, long_version() ? -1 : seed % ADVICES, seed))
            return; /* one is enough to see */
    }
}

UM_TESTS("patterns",
         {"the data is right in every pattern, with each advice, under lazy",
          the_data_is_right_in_every_pattern_with_each_advice_under_lazy},
         {"the data is right in every pattern, with each advice, under eager",
          the_data_is_right_in_every_pattern_with_each_advice_under_eager},
         {"the data is right in every pattern under 100 random schedules",
          the_data_is_right_in_every_pattern_under_100_random_schedules});
