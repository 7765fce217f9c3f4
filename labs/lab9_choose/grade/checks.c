/**
 * @file checks.c
 * @brief Lab 9: the checks of choose().
 *
 * costs.h computes from the profile what a choice costs. checks_pipe.c has the checks of pipelined_copy().
 * grade/check.h says how checks are written.
 */
#include <math.h>

#include "costs.h"
#include "../exercise.h"
#include "grade/check.h"

/**
 * How many workloads a check asks about: each has a price of some milliseconds. A choice that is wrong for
 * one in thirty of them must not pass by luck, nor one that loses a tenth on average (tests/mutants/lab9).
 */
enum { WORKLOADS = 500 };

/** One question, and what each answer takes, microseconds. */
struct question {
    struct lab9_workload work;
    double us[LAB9_KINDS];
    int best;
};

#define ONE_OF(...)                                                                                          \
    ((const unsigned[]){__VA_ARGS__}[um_random() % (sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned))])

static struct lab9_workload some_workload(void)
{
    const double share = (double)(um_random() >> 11) / 9007199254740992.0; /* 2^53 */
    struct lab9_workload work = {.bytes = 4096 * (size_t)pow(8192, share),
                                 .stride = ONE_OF(1, 1, 1, 16, 64, 256, 1024, 4096),
                                 .read_only = um_random() % 2 == 0,
                                 .passes = ONE_OF(1, 1, 2, 4, 16, 64),
                                 .rounds = ONE_OF(1, 1, 2, 4, 16),
                                 .jobs = ONE_OF(1, 3, 10, 100, 1000),
                                 .device_bytes = (size_t)140 << 30};

    if (um_random() % 5 == 0)
        work.device_bytes = work.bytes / 2;
    return work;
}

static struct question question_of(const struct lab9_workload *work)
{
    struct question question = {.work = *work};

    for (int k = 0; k < LAB9_KINDS; k++) {
        const struct lab9_price price = lab9_price(um_profile(), work, (enum lab9_kind)k);

        question.us[k] = price.memory_us + work->jobs * price.job_us;
        if (question.us[k] < question.us[question.best])
            question.best = k;
    }
    return question;
}

static void name_case(const struct lab9_workload *work)
{
    um_case("%zu bytes, stride %zu, %s, %u passes, %u rounds, %u jobs, %zu bytes of device memory",
            work->bytes, work->stride, work->read_only ? "read only" : "written", work->passes, work->rounds,
            work->jobs, work->device_bytes);
}

/* All questions in one call; their answers come back as bytes. */
static struct um_try ask(struct question *questions, struct lab9_workload *works, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        works[i] = some_workload();
        questions[i] = question_of(&works[i]);
    }
    return (struct um_try){
        .function = "choose", .in = works, .in_bytes = count * sizeof *works, .out_bytes = count};
}

/* How many times the best's time a choice takes; INFINITY for what is no kind. */
static double times(const struct question *question, unsigned chosen)
{
    return chosen < LAB9_KINDS ? question->us[chosen] / question->us[question->best] : INFINITY;
}

static void clear_cases(void)
{
    struct question questions[WORKLOADS];
    struct lab9_workload works[WORKLOADS];
    struct um_try try = ask(questions, works, WORKLOADS);

    if (!um_call(&try)) /* once: only_decides sees to it that no schedule matters */
        return;
    for (size_t i = 0; i < WORKLOADS && !um_has_failed(); i++) {
        const struct question *it = &questions[i];
        const char *chosen = lab9_kind_name(try.out[i]);

        name_case(&it->work);
        if (isinf(times(it, try.out[i])))
            um_expect(false, "a kind that can do it", "%s cannot; %s takes %.1f us", chosen,
                      lab9_kind_name(it->best), it->us[it->best]);
        else
            um_expect(times(it, try.out[i]) <= 2, "a choice that takes at most twice the time of the best",
                      "%s, %.1f us; %s takes %.1f us", chosen, it->us[try.out[i]], lab9_kind_name(it->best),
                      it->us[it->best]);
    }
}

static void regret(void)
{
    struct question questions[WORKLOADS];
    struct lab9_workload works[WORKLOADS];
    struct um_try try = ask(questions, works, WORKLOADS);
    double lost = 0, most = 0;
    size_t worst = 0;

    if (!um_call(&try))
        return;
    for (size_t i = 0; i < WORKLOADS; i++) {
        const double more = times(&questions[i], try.out[i]) - 1;

        lost += more / WORKLOADS;
        if (more > most) {
            most = more;
            worst = i;
        }
    }
    name_case(&works[worst]);
    um_expect(lost <= 0.05, "your choices take at most 5% longer than the best ones, on average",
              "%.1f%% of %d workloads; most with this one: %s, %.1f us, where %s takes %.1f us", 100 * lost,
              WORKLOADS, lab9_kind_name(try.out[worst]), questions[worst].us[try.out[worst] % LAB9_KINDS],
              lab9_kind_name(questions[worst].best), questions[worst].us[questions[worst].best]);
}

static void only_decides(void)
{
    struct lab9_workload works[3] = {some_workload(), some_workload(), some_workload()};
    struct um_try try = {.function = "choose", .in = works, .in_bytes = sizeof works, .out_bytes = 3};

    um_judge_only_computes(&try);
}

static const struct um_check choose_checks[] = {
    {"clear_cases", 3, clear_cases, NULL},
    {"regret", 2, regret, "clear_cases"},
    {"only_decides", 1, only_decides, "clear_cases"},
};
UM_EXERCISE("choose", choose_checks);
