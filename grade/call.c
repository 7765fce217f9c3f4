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

/* Whatever the call computed, how it did so can no longer be known. */
static bool tampered(const struct um_try *try)
{
    static const char *const what[] = {"pages were opened that are not the host's to open",
                                       "the simulator's memory was unmapped or replaced",
                                       "the GPU was told what no library would tell it"};
    for (unsigned i = 0; i < sizeof what / sizeof what[0]; i++)
        if (try->did.tampered >> i & 1)
            um_fail_as(UM_FAIL, "the simulator is left alone", what[i]);
    return false;
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
        return !try->did.tampered || tampered(try);
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

bool um_call(struct um_try *try)
{
    char why[300];
    called = true;
    note_request(try);
    schedule = try->schedule;
    fail = try->fail;
    uint64_t salt = try->no_salt ? 0 : 50 + um_random_own() % 151;
    try->salt = (float)salt;
    try->said = said;
    said[0] = '\0';
    if (!um_sandboxed_call_run(try, salt, why, sizeof why))
        um_cannot("%s", why);
    um_job.guarded |= try->did.guarded != 0;
    snprintf(said, sizeof said, "%s", try->said);
    try->said = said;
    return came_back(try);
}

bool um_next_schedule(struct um_try *try, unsigned *index)
{
    static char text[32];
    while (!um_has_failed()) {
        unsigned now = (*index)++;
        if (now >= 2 + RANDOM_SCHEDULES)
            return false;
        snprintf(text, sizeof text, "random:%u", (unsigned)(um_random_own() >> 40));
        try->schedule = now == 0 ? "lazy" : now == 1 ? "eager" : text;
        if (um_call(try))
            return true;
    }
    return false;
}

/* Excludes calls whose failure leaves a program nothing to do, and calls that only report. */
static bool may_fail(const char *name)
{
    static const char *const spared[] = {
        "cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorName", "cudaGetErrorString",
        "cudaFree",         "cudaFreeHost",        "cudaFreeAsync",    "cudaStreamDestroy",
        "cudaEventDestroy", "cudaHostUnregister"};
    for (size_t i = 0; i < sizeof spared / sizeof spared[0]; i++)
        if (strcmp(name, spared[i]) == 0)
            return false;
    return true;
}

/* Among the calls of a clean run, in order, finds the one that failure number `wanted` (from 0) makes
 * fail: the K-th call of `name`. */
static const struct umsim_ledger_call *failure_at(const struct umsim_ledger_call *made, unsigned wanted,
                                                  uint64_t *k)
{
    for (; made->name[0]; made++) {
        if (!may_fail(made->name))
            continue;
        if (wanted < made->count) {
            *k = wanted + 1;
            return made;
        }
        wanted -= (unsigned)made->count;
    }
    return NULL;
}

bool um_next_failure(struct um_try *try, unsigned *index)
{
    static struct umsim_ledger_call made[UMSIM_LEDGER_CALLS + 1];
    static char text[160];
    if (um_has_failed())
        return false;
    if (*index == 0) {
        try->fail = NULL;
        if (!um_call(try))
            return false;
        memcpy(made, try->did.call, sizeof try->did.call);
    }
    uint64_t k;
    for (const struct umsim_ledger_call *call; (call = failure_at(made, (*index)++, &k));) {
        bool allocates = strstr(call->name, "Alloc") || strstr(call->name, "alloc");
        try->fail_error =
            allocates ? 2 : 999; /* cudaErrorMemoryAllocation or cudaErrorUnknown, as UMSIM_FAIL chooses */
        snprintf(text, sizeof text, "%.*s:%" PRIu64, (int)sizeof call->name, call->name, k);
        try->fail = text;
        if (!um_call(try))
            return false;
        if (umsim_ledger_calls(&try->did, call->name) >= k)
            /* otherwise the call was not made this time: a query that is repeated until it happens to
             * succeed */
            return true;
    }
    try->fail = NULL;
    return false;
}
