/**
 * @file budget.c
 * @brief What a submission's calls may take in all, so that a class goes on whatever one of them does.
 *
 * Each call has its deadline already. A function that takes nearly that, call for call, would still hold a
 * grading up for as many calls as its checks make. So the calls of one function share a budget of processor
 * time, and all calls of a submission share one of real time, which only those reach that sleep: time in
 * which other work had the processor does not count. GRADE_TIMEOUT_SCALE scales both. A right solution takes
 * a few seconds of either.
 */
#include "grade.h"

#include <stdio.h>

#define FUNCTION_CPU_SECONDS 20.0
#define SUBMISSION_SECONDS 120.0

static const struct um_exercise *function;
static double cpu_seconds, seconds;

void um_budget_start(const struct um_exercise *exercise)
{
    if (exercise != function)
        cpu_seconds = 0;
    function = exercise;
}

void um_budget_take(double cpu, double real)
{
    cpu_seconds += cpu;
    seconds += real;
}

bool um_budget_left(void)
{
    const double cpu_most = FUNCTION_CPU_SECONDS * um_job.timeout_scale,
                 most = SUBMISSION_SECONDS * um_job.timeout_scale;
    char expected[120], text[160];
    if (cpu_seconds <= cpu_most && seconds <= most)
        return true;
    if (cpu_seconds > cpu_most) {
        snprintf(expected, sizeof expected, "all calls of %.60s take at most %.0f s of processor time",
                 function->function, cpu_most);
        snprintf(text, sizeof text, "they have taken %.1f s, so it is not called again", cpu_seconds);
    } else {
        snprintf(expected, sizeof expected, "all calls of the submission take at most %.0f s", most);
        snprintf(text, sizeof text, "they have taken %.1f s, so none is made any more", seconds);
    }
    um_fail_as(UM_TIMEOUT, expected, text);
    return false;
}
