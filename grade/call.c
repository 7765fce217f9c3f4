/**
 * @file call.c
 * @brief Implements um_call(), and the loops over schedules and failures.
 */
#include "grade.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_SCHEDULES = 3 };

static char current_case[200], said[UM_SAID_MAX + 1], request[200];
static const char *schedule, *fail;
static bool called;

void um_call_forget(void)
{
    current_case[0] = said[0] = request[0] = '\0';
    schedule = fail = NULL;
    called = false;
}

const char *um_last_said(void)
{
    return said;
}

void um_case(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(current_case, sizeof current_case, format, arguments);
    va_end(arguments);
}

const char *um_where(char *text, size_t size)
{
    const char *under = !called ? "" : schedule ? schedule : "lazy";
    const char *what = current_case[0] ? current_case : request;
    snprintf(text, size, "%s%s%s%s%s%s", what, what[0] && called ? ", " : "", called ? "schedule " : "",
             under, fail ? ", UMSIM_FAIL=" : "", fail ? fail : "");
    return under;
}

/* Where in the function it was, as far as that is known: what came last of CUDA. */
static const char *last_call(const struct umsim_ledger *did)
{
    static char text[120];
    if (did->last_call == 0 || did->last_call > UMSIM_LEDGER_CALLS)
        return ", before any call of CUDA";
    const struct umsim_ledger_call *last = &did->call[did->last_call - 1];
    snprintf(text, sizeof text, ", in or behind its %s call of %.47s", um_ordinal(last->count), last->name);
    return text;
}

static bool came_back(const struct um_try *try)
{
    char text[200];
    switch (try->end) {
    case UM_RETURNED:
        return true;
    case UM_CRASHED:
        snprintf(text, sizeof text, "it ended with signal %d: %s%s", try->signal, strsignal(try->signal),
                 last_call(&try->did));
        um_fail_as(UM_CRASH, "the function returns", text);
        return false;
    case UM_ENDED:
        snprintf(text, sizeof text, "the process ended by itself before that, with exit status %d",
                 try->signal);
        um_fail_as(UM_CRASH, "the function returns",
                   try->signal < 0 ? "the process ended by itself before that" : text);
        return false;
    case UM_TIMED_OUT:
        um_fail_as(UM_TIMEOUT, "the function returns", "it was stopped at its deadline");
        return false;
    }
    return false;
}

/* For checks that do not call um_case(): describes the call by its numbers that are not 0. */
static void note_request(const struct um_try *try)
{
    int last = UM_CALL_BUFFER_NUMBERS, at = snprintf(request, sizeof request, "%s(", try->function);
    while (last > 1 && try->number[last - 1] == 0)
        last--;
    for (int i = 0; i < last && at > 0 && (size_t)at < sizeof request; i++)
        at +=
            snprintf(request + at, sizeof request - (size_t)at, "%s%" PRId64, i ? ", " : "", try->number[i]);
    if (at > 0 && (size_t)at < sizeof request - 1)
        snprintf(request + at, sizeof request - (size_t)at, ")");
}

static bool make_call(struct um_try *try)
{
    char why[300];
    if (!um_budget_left())
        return false;
    um_random_next_call();
    called = true;
    note_request(try);
    schedule = try->schedule;
    fail = try->fail;
    try->key = (struct umsim_key){{um_random_of(UM_DRAW_KERNELS, 0), um_random_of(UM_DRAW_KERNELS, 1)}};
    try->said = said;
    said[0] = '\0';
    if (!um_sandboxed_call_run(try, why, sizeof why))
        um_cannot("%s", why);
    snprintf(said, sizeof said, "%s", try->said);
    try->said = said;
    return came_back(try);
}

bool um_call(struct um_try *try)
{
    um_random_begin();
    return make_call(try);
}

bool um_next_schedule(struct um_try *try, unsigned *index)
{
    static char text[32];
    while (!um_has_failed()) {
        unsigned now = (*index)++;
        if (now >= 2 + RANDOM_SCHEDULES)
            return false;
        if (now == 0)
            um_random_begin();
        snprintf(text, sizeof text, "random:%u", (unsigned)(um_random_of(UM_DRAW_SCHEDULE, now) >> 40));
        try->schedule = now == 0 ? "lazy" : now == 1 ? "eager" : text;
        if (make_call(try))
            return true;
    }
    return false;
}

/* Excludes calls whose failure leaves a program nothing to do, because they give something back or end it,
 * and calls that only report. */
static bool may_fail(const char *name)
{
    static const char *const spared[] = {"cudaGetLastError",
                                         "cudaPeekAtLastError",
                                         "cudaGetErrorName",
                                         "cudaGetErrorString",
                                         "cudaFree",
                                         "cudaFreeHost",
                                         "cudaFreeAsync",
                                         "cudaFreeArray",
                                         "cudaStreamDestroy",
                                         "cudaEventDestroy",
                                         "cudaHostUnregister",
                                         "cudaMemPoolDestroy",
                                         "cudaMemPoolTrimTo",
                                         "cudaProfilerStop",
                                         "cudaStreamEndCapture",
                                         "cudaGraphDestroy",
                                         "cudaGraphExecDestroy",
                                         "cudaDestroyTextureObject",
                                         "cudaDestroySurfaceObject",
                                         "cudaUserObjectRelease"};
    for (size_t i = 0; i < sizeof spared / sizeof spared[0]; i++)
        if (strcmp(name, spared[i]) == 0)
            return false;
    return true;
}

/** One call that is made to fail: the K-th of `name`. */
struct failure {
    char name[sizeof((struct umsim_ledger_call *)0)->name];
    uint64_t k;
};
/** Of one function: this many calls at its start and at its end fail, and this many between, chosen by
 * chance. All of them do where there are no more. */
enum { FAIL_FIRST = 3, FAIL_BETWEEN = 2, FAIL_LAST = 3, FAIL_EACH = FAIL_FIRST + FAIL_BETWEEN + FAIL_LAST };
static struct failure failures[UMSIM_LEDGER_CALLS * FAIL_EACH];
static unsigned failures_count;

static void add_failure(const struct umsim_ledger_call *made, uint64_t k)
{
    struct failure *it = &failures[failures_count++];
    memcpy(it->name, made->name, sizeof it->name);
    it->k = k;
}

/* Chooses which calls of a clean run are to fail. Their kinds count, not their number: a loop of 200,000
 * queries would otherwise be repeated as often. */
static void choose_failures(const struct umsim_ledger_call *made)
{
    failures_count = 0;
    for (int i = 0; i < UMSIM_LEDGER_CALLS && made[i].name[0]; i++) {
        const uint64_t count = made[i].count, most = count < FAIL_EACH ? count : FAIL_EACH;
        if (!may_fail(made[i].name))
            continue;
        for (uint64_t n = 0; n < most; n++) {
            const uint64_t between = count - FAIL_FIRST - FAIL_LAST;
            add_failure(&made[i],
                        n < FAIL_FIRST || count <= FAIL_EACH ? n + 1
                        : n < FAIL_FIRST + FAIL_BETWEEN
                            ? FAIL_FIRST + 1 + um_random_of(UM_DRAW_FAILURE, failures_count) % between
                            : count - (FAIL_EACH - 1 - n));
        }
    }
}

static bool call_without_failure(struct um_try *try)
{
    try->fail = NULL;
    try->fail_error = 0;
    um_random_begin();
    if (!make_call(try))
        return false;
    choose_failures(try->did.call);
    return true;
}

/* How often a program asks may depend on how fast the machine is; whatever else it calls does not. */
static bool is_query(const char *name)
{
    return strcmp(name, "cudaStreamQuery") == 0 || strcmp(name, "cudaEventQuery") == 0;
}

/* The K-th call of a query was not made this time: nothing has failed. Where another call was left out, the
 * function has known that it would fail. */
static bool is_left_out(struct um_try *try, const struct failure *it)
{
    const uint64_t made = umsim_ledger_calls(&try->did, it->name);
    try->fail = fail = NULL;
    try->fail_error = 0;
    return um_expect(is_query(it->name), "for the same arguments the function makes the same calls",
                     "of %.47s it made %" PRIu64 " calls, where it had made %" PRIu64 " or more before",
                     it->name, made, it->k);
}

bool um_next_failure(struct um_try *try, unsigned *index)
{
    static char text[160];
    if (um_has_failed())
        return false;
    const unsigned now = (*index)++;
    if (now == 0)
        return call_without_failure(try);
    if (now > failures_count) {
        try->fail = NULL;
        return false;
    }
    const struct failure *it = &failures[now - 1];
    bool allocates = strstr(it->name, "Alloc") || strstr(it->name, "alloc");
    try->fail_error =
        allocates ? 2 : 999; /* cudaErrorMemoryAllocation or cudaErrorUnknown, as UMSIM_FAIL chooses */
    snprintf(text, sizeof text, "%.*s:%" PRIu64, (int)sizeof it->name, it->name, it->k);
    try->fail = text;
    return make_call(try) && (umsim_ledger_calls(&try->did, it->name) >= it->k || is_left_out(try, it));
}
