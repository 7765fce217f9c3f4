/**
 * @file judge.c
 * @brief Runs the checks as CUnit tests in their order, and gives each a verdict.
 */
#include "grade.h"

#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct um_exercise *exercises;
static struct um_verdict *verdicts, *running;
static unsigned verdict_count;
static bool built;

const char *um_status_name(enum um_status status)
{
    static const char *const names[] = {"PASS", "FAIL", "SKIP", "TIMEOUT", "CRASH", "BUILD-ERROR"};
    return names[status];
}

void um_exercise_add(struct um_exercise *exercise)
{
    struct um_exercise **last = &exercises;
    while (*last)
        last = &(*last)->next;
    *last = exercise;
}

void um_exercise_functions(const char **function, unsigned capacity)
{
    unsigned n = 0;
    for (const struct um_exercise *exercise = exercises; exercise && n + 1 < capacity;
         exercise = exercise->next)
        function[n++] = exercise->function;
    function[n] = NULL;
}

const struct um_verdict *um_verdicts(unsigned *count)
{
    *count = verdict_count;
    return verdicts;
}

const char *um_running_name(void)
{
    return running->name;
}

bool um_has_failed(void)
{
    return running->status != UM_PASS;
}

void um_fail_as(enum um_status status, const char *expected, const char *happened)
{
    if (um_has_failed())
        return;
    running->status = status;
    snprintf(running->expected, sizeof running->expected, "%s", expected);
    snprintf(running->happened, sizeof running->happened, "%s", happened);
    const char *schedule = um_where(running->where, sizeof running->where);
    snprintf(running->schedule, sizeof running->schedule, "%s", schedule);
    const char *said = um_last_said();
    size_t length = strlen(said), capacity = sizeof running->output - 1;
    snprintf(running->output, sizeof running->output, "%s",
             said + (length > capacity ? length - capacity : 0));
    if (status != UM_SKIP)
        CU_assertImplementation(CU_FALSE, 0, running->expected, running->name, "", CU_FALSE);
}

bool um_expect(bool ok, const char *expected, const char *happened, ...)
{
    char text[sizeof running->happened];
    va_list arguments;
    if (ok)
        return true;
    va_start(arguments, happened);
    vsnprintf(text, sizeof text, happened, arguments);
    va_end(arguments);
    um_fail_as(UM_FAIL, expected, text);
    return false;
}

void um_skip(const char *why)
{
    um_fail_as(UM_SKIP, "", why);
}

static const struct um_verdict *verdict_of(const struct um_exercise *exercise, const char *check)
{
    for (unsigned i = 0; i < verdict_count; i++)
        if (verdicts[i].exercise == exercise && strcmp(verdicts[i].check->name, check) == 0)
            return &verdicts[i];
    um_cannot("%s: a check's parent is %s, which does not stand before it", exercise->function, check);
}

/* A check whose parent failed would fail for the same reason, and teach nothing more. */
static bool may_be_judged(void)
{
    if (!running->check->parent)
        return true;
    const struct um_verdict *parent = verdict_of(running->exercise, running->check->parent);
    char why[200];
    if (parent->status == UM_PASS)
        return true;
    snprintf(why, sizeof why, "not judged: %s has to pass first", parent->check->name);
    um_skip(why);
    return false;
}

static void run_one(void)
{
    double before = um_now();
    um_call_forget();
    um_budget_start(running->exercise);
    um_random_start(running->name);
    if (!built)
        um_fail_as(UM_BUILD_ERROR, "", "the submission does not compile");
    else if (may_be_judged())
        running->check->body();
    running->seconds = um_now() - before;
    um_result_check(running);
    running++;
}

static bool is_wanted(const struct um_exercise *exercise)
{
    const size_t length = strlen(exercise->function);
    for (const char *name = um_job.only; name; name = strchr(name, ','), name += name != NULL)
        if (strncmp(name, exercise->function, length) == 0 && (name[length] == '\0' || name[length] == ','))
            return true;
    return false;
}

/* Drops the exercises that --only does not name. A name that no exercise has is a mistake. */
static void keep_wanted(void)
{
    unsigned wanted = 1, kept = 0;
    for (const char *comma = um_job.only; (comma = strchr(comma, ',')); comma++)
        wanted++;
    for (struct um_exercise **at = &exercises; *at;)
        if (is_wanted(*at)) {
            kept++;
            at = &(*at)->next;
        } else {
            *at = (*at)->next;
        }
    if (kept < wanted)
        um_cannot("--only %s: %s has %u of these exercises", um_job.only, um_job.lab, kept);
}

static unsigned count_checks(void)
{
    unsigned count = 0;
    for (struct um_exercise *exercise = exercises; exercise; exercise = exercise->next)
        count += exercise->checks;
    return count;
}

static void add_exercise(const struct um_exercise *exercise)
{
    const unsigned line = built ? um_source_line(exercise->function) : 0;
    CU_pSuite suite = CU_add_suite(exercise->function, NULL, NULL);
    if (!suite)
        um_cannot("CUnit: %s", CU_get_error_msg());
    for (unsigned i = 0; i < exercise->checks; i++) {
        struct um_verdict *verdict = &verdicts[verdict_count++];
        verdict->exercise = exercise;
        verdict->check = &exercise->check[i];
        verdict->status = UM_PASS;
        verdict->line = line;
        snprintf(verdict->name, sizeof verdict->name, "%s/%s", exercise->function, verdict->check->name);
        verdict->idea = um_lesson(verdict->name, "idea");
        verdict->learned = um_lesson(verdict->name, "learned");
        if (!CU_add_test(suite, verdict->check->name, run_one))
            um_cannot("CUnit, %s: %s", verdict->name, CU_get_error_msg());
    }
}

void um_judge(bool is_built)
{
    built = is_built;
    if (um_job.only)
        keep_wanted();
    if (CU_initialize_registry() != CUE_SUCCESS)
        um_cannot("CUnit: %s", CU_get_error_msg());
    verdicts = calloc(count_checks() + 1, sizeof *verdicts);
    if (!verdicts)
        um_cannot("no memory for the verdicts");
    for (struct um_exercise *exercise = exercises; exercise; exercise = exercise->next)
        add_exercise(exercise);
    running = verdicts;
    CU_run_all_tests();
    CU_cleanup_registry();
}
