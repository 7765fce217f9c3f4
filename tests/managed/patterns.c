/**
 * @file patterns.c
 * @brief Ping-pong between host and device over one allocation, in every pattern, under every advice and schedule: the
 *        data is right every time.
 *
 * A pattern is a list of places. In each round two streams add to the places of one half each, with a prefetch under
 * way in one of them; a third kernel, behind an event, adds to all; then the host checks each place and adds, too. The
 * order is the program's at every place, and nobody's anywhere else: the places of both streams share pages.
 */
#include <string.h>

#include "again.h"
#include "kernels_here.h"
#include "moves.h"

enum { ROUNDS = 2, PLACES_MAX = 4096, PLACES_SHORT = 96 };

static const struct {
    const char *name;
    int count;
    struct {
        enum cudaMemoryAdvise what;
        int processor;
    } advice[2];
} advices[] = {
    {"no advice", 0, {{0}}},
    {"ReadMostly", 1, {{cudaMemAdviseSetReadMostly, 0}}},
    {"PreferredLocation=host", 1, {{cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId}}},
    {"PreferredLocation=device", 1, {{cudaMemAdviseSetPreferredLocation, 0}}},
    {"AccessedBy=device", 1, {{cudaMemAdviseSetAccessedBy, 0}}},
    {"PreferredLocation=host, AccessedBy=device",
     2,
     {{cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId}, {cudaMemAdviseSetAccessedBy, 0}}},
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
};

static struct game game;

static uint64_t random_bits(uint64_t *state) /* xorshift64, Marsaglia 2003 */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Random places differ because each is in a stretch of its own; then they are shuffled. */
static void choose_places(size_t step, uint64_t seed)
{
    const size_t most = (size_t)scene_setting("UM_PLACES", PLACES_SHORT);
    const size_t stretch = step ? step / sizeof(int) : game.n / most;
    uint64_t state = 2 * seed + 1;

    game.places = 0;
    for (size_t i = 0; i < game.n && game.places < most; i += stretch)
        game.at[game.places++] = (uint32_t)(step ? i : i + random_bits(&state) % stretch);
    for (size_t i = game.places; step == 0 && i-- > 1;) {
        const size_t other = random_bits(&state) % (i + 1);
        const uint32_t kept = game.at[i];

        game.at[i] = game.at[other];
        game.at[other] = kept;
    }
    SCENE_CALL(cudaMemcpy(game.d_at, game.at, game.places * sizeof *game.at, cudaMemcpyHostToDevice));
    SCENE_CALL(cudaDeviceSynchronize()); /* a copy of pageable memory may return before it has arrived */
}

static void device_turn(int round)
{
    const size_t half = game.places / 2;

    SCENE_CALL(here_add_at(game.x, game.n, game.d_at, half, 3, game.declared, game.stream[0]));
    if (round % 2 == 0)
        SCENE_CALL(um_prefetch((char *)game.x + MiB, MiB, round % 4 ? cudaCpuDeviceId : 0, game.stream[1]));
    SCENE_CALL(
        here_add_at(game.x, game.n, game.d_at + half, game.places - half, 5, !game.declared, game.stream[1]));
    SCENE_CALL(cudaEventRecord(game.ready[1], game.stream[1]));
    SCENE_CALL(cudaStreamWaitEvent(game.stream[0], game.ready[1], 0));
    SCENE_CALL(here_add_at(game.x, game.n, game.d_at, game.places, 7, game.declared, game.stream[0]));
    SCENE_CALL(cudaEventRecord(game.ready[0], game.stream[0]));
    for (size_t i = 0; i < game.places; i++)
        game.wanted[game.at[i]] += 7 + (i < half ? 3 : 5);
}

static void host_turn(const char *pattern, const char *advice, int round)
{
    for (size_t i = 0; i < game.places; i++) {
        const uint32_t k = game.at[i];

        SCENE_NEED(game.x[k] == game.wanted[k], "%s, %s, round %d: element %u is %d and should be %d",
                   pattern, advice, round, k, game.x[k], game.wanted[k]);
        game.wanted[k] += round + 1;
        game.x[k] += round + 1;
    }
}

static void play(int pattern, int advice, uint64_t seed)
{
    const size_t bytes = game.n * sizeof *game.x;

    SCENE_CALL(cudaMallocManaged((void **)&game.x, bytes, cudaMemAttachGlobal));
    for (int i = 0; i < advices[advice].count; i++)
        SCENE_CALL(
            um_advise(game.x, bytes, advices[advice].advice[i].what, advices[advice].advice[i].processor));
    choose_places(patterns[pattern].step, seed);
    for (size_t i = 0; i < game.places; i++)
        game.x[game.at[i]] = game.wanted[game.at[i]] = (int)i;
    for (int round = 0; round < ROUNDS; round++) {
        game.declared = !game.declared;
        device_turn(round);
        SCENE_CALL(round % 2 ? cudaDeviceSynchronize() : cudaEventSynchronize(game.ready[0]));
        host_turn(patterns[pattern].name, advices[advice].name, round);
    }
    SCENE_CALL(cudaFree(game.x));
}

/* All patterns: with advice number UM_ADVICE, or with each. */
static void play_all(void)
{
    const long only = scene_setting("UM_ADVICE", -1);
    const uint64_t seed = (uint64_t)scene_setting("UM_SEED", 1);

    game.n = (size_t)scene_setting("UM_MIB", 5) * MiB / sizeof *game.x;
    game.wanted = calloc(game.n, sizeof *game.wanted);
    SCENE_NEED(game.wanted != NULL, "no memory");
    SCENE_CALL(cudaMalloc((void **)&game.d_at, PLACES_MAX * sizeof *game.d_at));
    for (int i = 0; i < 2; i++) {
        SCENE_CALL(cudaStreamCreateWithFlags(&game.stream[i], cudaStreamNonBlocking));
        SCENE_CALL(cudaEventCreateWithFlags(&game.ready[i], cudaEventDisableTiming));
    }
    for (int advice = 0; advice < ADVICES; advice++)
        for (int pattern = 0; pattern < PATTERNS && (only < 0 || only == advice); pattern++)
            play(pattern, advice, seed);
}
SCENE("patterns", play_all)

static bool right_under(const char *schedule, long advice, long seed)
{
    static struct again run;
    char sched[40], which[40], seeded[40], size[40], places[40];

    snprintf(sched, sizeof sched, "UMSIM_SCHED=%s", schedule);
    snprintf(which, sizeof which, "UM_ADVICE=%ld", advice);
    snprintf(seeded, sizeof seeded, "UM_SEED=%ld", seed);
    snprintf(size, sizeof size, "UM_MIB=%d", long_version() ? 16 : 5);
    snprintf(places, sizeof places, "UM_PLACES=%d", long_version() ? PLACES_MAX : PLACES_SHORT);
    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "patterns", .settings = {sched, which, seeded, size, places}};
    again(&run);
    return again_ended_well(&run);
}

static void under_lazy(void)
{
    right_under("lazy", -1, 1);
}

static void under_eager(void)
{
    for (int i = 0; i < (long_version() ? 20 : 1); i++)
        right_under("eager", -1, i);
}

/* The short version takes one advice a seed; the places differ with the seed, too. */
static void under_random(void)
{
    char schedule[40];

    for (int seed = 1; seed <= 100; seed++) {
        snprintf(schedule, sizeof schedule, "random:%d", seed);
        if (!right_under(schedule, long_version() ? -1 : seed % ADVICES, seed))
            return; /* one is enough to see */
    }
}

UM_TESTS("patterns", {"the data is right in every pattern, with each advice, under lazy", under_lazy},
         {"the data is right in every pattern, with each advice, under eager", under_eager},
         {"the data is right in every pattern under 100 random schedules", under_random});
