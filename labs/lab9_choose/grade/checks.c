/**
 * @file checks.c
 * @brief Lab 9: the checks of choose().
 *
 * costs.h computes from the profile what a choice costs. checks_pipe.c has the checks of pipelined_copy().
 * grade/check.h says how checks are written.
 */
#include <math.h>
#include <stdio.h>

#include "calls.h"
#include "costs.h"
#include "grade/check.h"
#include "machines.h"

/**
 * How many questions a check asks: each has a price of some milliseconds. A choice that is wrong for one in
 * thirty of them must not pass by luck, nor one that loses a tenth on average (tests/mutants/lab9).
 */
enum { QUESTIONS = 500 };

/** What each answer to a question takes, microseconds. */
struct answers {
    double us[LAB9_KINDS];
    int best;
};

#define ONE_OF(...)                                                                                          \
    ((const unsigned[]){__VA_ARGS__}[um_random() % (sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned))])

/* From 0 to 1. */
static double some_share(void)
{
    return (double)(um_random() >> 11) / 9007199254740992.0; /* 2^53 */
}

static double some_factor(double least, double most)
{
    return least * pow(most / least, some_share());
}

/* Another machine than the course's, which everybody knows: whoever writes down figures, or answers, is wrong
 * here. */
static struct lab9_question some_question(const struct lab9_machine *known)
{
    const double share = some_share();
    struct lab9_workload work = {.bytes = 4096 * (size_t)pow(8192, share),
                                 .stride = ONE_OF(1, 1, 1, 16, 64, 256, 1024, 4096),
                                 .read_only = um_random() % 2 == 0,
                                 .passes = ONE_OF(1, 1, 2, 4, 16, 64),
                                 .rounds = ONE_OF(1, 1, 2, 4, 16),
                                 .jobs = ONE_OF(1, 3, 10, 100, 1000),
                                 .device_bytes = (size_t)140 << 30};

    if (um_random() % 5 == 0)
        work.device_bytes = work.bytes / 2;
    return (struct lab9_question){work, lab9_vary(*known, some_factor)};
}

static struct answers answers_to(const struct lab9_question *question)
{
    const struct umsim_profile machine = lab9_profile(um_profile(), &question->machine);
    struct answers answers = {.best = 0};

    for (int k = 0; k < LAB9_KINDS; k++) {
        const struct lab9_price price = lab9_price(&machine, &question->work, (enum lab9_kind)k);

        answers.us[k] = price.memory_us + question->work.jobs * price.job_us;
        if (answers.us[k] < answers.us[answers.best])
            answers.best = k;
    }
    return answers;
}

static void name_case(const struct lab9_workload *work)
{
    um_case("%zu bytes, stride %zu, %s, %u passes, %u rounds, %u jobs, %zu bytes of device memory",
            work->bytes, work->stride, work->read_only ? "read only" : "written", work->passes, work->rounds,
            work->jobs, work->device_bytes);
}

/* All figures; the text remains valid until the next call. */
static const char *machine_text(const struct lab9_machine *it)
{
    static char text[400];

    snprintf(text, sizeof text,
             "us + us per MiB: pinned memory %.4g + %.4g, device %.4g + %.4g, managed %.4g + %.4g; pageable "
             "copy %.4g + %.4g, pinned %.4g + %.4g, prefetch %.4g + %.4g, advice %.4g + %.4g; near %.3g, far "
             "%.4g",
             it->pinned_memory.us, it->pinned_memory.us_per_mib, it->device_memory.us,
             it->device_memory.us_per_mib, it->managed_memory.us, it->managed_memory.us_per_mib,
             it->pageable_copy.us, it->pageable_copy.us_per_mib, it->pinned_copy.us,
             it->pinned_copy.us_per_mib, it->prefetch.us, it->prefetch.us_per_mib, it->advice.us,
             it->advice.us_per_mib, it->near_us_per_mib, it->far_us_per_mib);
    return text;
}

/* All questions in one call; their answers come back as bytes. */
static struct um_try ask(struct lab9_question *questions, struct answers *answers, size_t count)
{
    const struct lab9_machine known = lab9_figures(um_profile());

    for (size_t i = 0; i < count; i++) {
        questions[i] = some_question(&known);
        answers[i] = answers_to(&questions[i]);
    }
    return (struct um_try){
        .function = "choose", .in = questions, .in_bytes = count * sizeof *questions, .out_bytes = count};
}

/* How many times the best's time a choice takes; INFINITY for what is no kind. */
static double times(const struct answers *answers, unsigned chosen)
{
    return chosen < LAB9_KINDS ? answers->us[chosen] / answers->us[answers->best] : INFINITY;
}

static void clear_cases(void)
{
    static struct lab9_question questions[QUESTIONS];
    static struct answers answers[QUESTIONS];
    struct um_try try = ask(questions, answers, QUESTIONS);

    if (!um_call(&try)) /* once: only_decides sees to it that no schedule matters */
        return;
    for (size_t i = 0; i < QUESTIONS && !um_has_failed(); i++) {
        const struct answers *it = &answers[i];
        const char *chosen = lab9_kind_name(try.out[i]), *best = lab9_kind_name(it->best);

        name_case(&questions[i].work);
        if (isinf(times(it, try.out[i])))
            um_expect(false, "a kind that can do it", "%s cannot; %s takes %.1f us", chosen, best,
                      it->us[it->best]);
        else
            um_expect(times(it, try.out[i]) <= 2, "a choice that takes at most twice the time of the best",
                      "%s, %.1f us; %s takes %.1f us (%s)", chosen, it->us[try.out[i]], best,
                      it->us[it->best], machine_text(&questions[i].machine));
    }
}

static void regret(void)
{
    static struct lab9_question questions[QUESTIONS];
    static struct answers answers[QUESTIONS];
    struct um_try try = ask(questions, answers, QUESTIONS);
    double lost = 0, most = 0;
    size_t worst = 0;

    if (!um_call(&try))
        return;
    for (size_t i = 0; i < QUESTIONS; i++) {
        const double more = times(&answers[i], try.out[i]) - 1;

        lost += more / QUESTIONS;
        if (more > most) {
            most = more;
            worst = i;
        }
    }
    name_case(&questions[worst].work);
    um_expect(lost <= 0.05, "your choices take at most 5% longer than the best ones, on average",
              "%.1f%% of %d questions; most with this one: %s, %.1f us, where %s takes %.1f us (%s)",
              100 * lost, QUESTIONS, lab9_kind_name(try.out[worst]),
              answers[worst].us[try.out[worst] % LAB9_KINDS], lab9_kind_name(answers[worst].best),
              answers[worst].us[answers[worst].best], machine_text(&questions[worst].machine));
}

static void only_decides(void)
{
    const struct lab9_machine known = lab9_figures(um_profile());
    struct lab9_question questions[3] = {some_question(&known), some_question(&known), some_question(&known)};
    struct um_try try = {.function = "choose", .in = questions, .in_bytes = sizeof questions, .out_bytes = 3};

    um_judge_only_computes(&try);
}

static const struct um_check choose_checks[] = {
    {"clear_cases", 3, clear_cases, NULL},
    {"regret", 2, regret, "clear_cases"},
    {"only_decides", 1, only_decides, "clear_cases"},
};
UM_EXERCISE("choose", choose_checks);
