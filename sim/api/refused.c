/**
 * @file refused.c
 * @brief Implementation of refused.h: the message under --check, the line at a program's end, and the handles
 * that were destroyed.
 */
#include "refused.h"
#include "grading.h"
#include "host_function.h"
#include "reasons.h"
#include "runtime.h"
#include "../base/error_names.h"
#include "../base/foreign_call.h"
#include "../base/library.h"
#include "../base/lock.h"
#include "../base/mode.h"
#include "../base/report.h"
#include "../base/source_line.h"
#include "../check/check.h"
#include "../check/refusal.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- handles that were destroyed ---- */

#define DESTROYED_KEPT 64

static struct umsim_destroyed destroyed[DESTROYED_KEPT];
static unsigned destroyed_count;

/* The newest first: addresses are given out again. */
const struct umsim_destroyed *umsim_destroyed_find(const void *handle)
{
    for (unsigned i = 0; i < DESTROYED_KEPT && i < destroyed_count; i++) {
        const struct umsim_destroyed *it = &destroyed[(destroyed_count - 1 - i) % DESTROYED_KEPT];
        if (handle && it->handle == handle)
            return it;
    }
    return NULL;
}

void umsim_succeeded(const struct umsim_api_call *call)
{
    if (!call->destroys)
        return;
    const struct umsim_argument *first = &call->arguments[0];
    const bool is_handle = first->kind == UMSIM_ARGUMENT_STREAM || first->kind == UMSIM_ARGUMENT_EVENT ||
                           first->kind == UMSIM_ARGUMENT_PLACE;
    if (is_handle)
        destroyed[destroyed_count++ % DESTROYED_KEPT] = (struct umsim_destroyed){
            *(const void *const *)first->value, call->name, umsim_check_asked().caller};
}

/* In traces and ledgers a launch is <<<>>>. */
static const char *name_of(const struct umsim_api_call *call)
{
    return call->name[0] == '<' ? "cudaLaunchKernel" : call->name;
}

/* ---- the line at the end ---- */

#define THREADS_KEPT 16

/* Of each thread the first refusal that it has not asked for, and how many came after it. */
static struct left {
    _Atomic(const void *) thread; /* the address of its last error; NULL: there is no such refusal */
    atomic_int error;
    const char *call;
    const void *caller;
    struct umsim_reason reason;
    unsigned long more, number; /* number: they are counted as they come */
    char place[256];            /* the caller's, once it is known */
} lefts[THREADS_KEPT];

static bool quiet;
static atomic_int owner; /* the process in which the line is said */

void umsim_refusals_keep_quiet(void)
{
    quiet = true;
}

void umsim_refusal_fetched(void)
{
    for (int i = 0; i < THREADS_KEPT; i++)
        if (atomic_load(&lefts[i].thread) == &umsim_last_error)
            atomic_store(&lefts[i].thread, NULL);
}

void umsim_refusal_asked(cudaError_t error)
{
    for (int i = 0; i < THREADS_KEPT; i++)
        if (error && atomic_load(&lefts[i].error) == (int)error)
            atomic_store(&lefts[i].thread, NULL);
}

/* Finds out the source lines. */
static void settle(struct left *left)
{
    char lines[sizeof left->reason.text];
    if (left->place[0])
        return;
    umsim_source_line(left->caller, left->place, sizeof left->place);
    umsim_source_lines(left->reason.text, lines, sizeof lines);
    memcpy(left->reason.text, lines, sizeof lines);
}

void umsim_refusals_before_unload(void)
{
    for (int i = 0; i < THREADS_KEPT; i++)
        if (atomic_load(&lefts[i].thread))
            settle(&lefts[i]);
}

/* The first of all. @param more how many came after it, and were not asked for */
static struct left *first_left(unsigned long *more)
{
    struct left *first = NULL;
    *more = 0;
    for (int i = 0; i < THREADS_KEPT; i++) {
        struct left *it = &lefts[i];
        if (!atomic_load(&it->thread))
            continue;
        *more += it->more + (first != NULL);
        if (!first || it->number < first->number)
            first = it;
    }
    return first;
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    char more[64] = "";
    unsigned long others;
    struct left *left = first_left(&others);
    if (status != 0 || atomic_load(&owner) != getpid() || !left || !umsim_lock_unless_mine())
        return;
    settle(left);
    struct umsim_reason why = {.used = 0};
    for (const char *line = left->reason.text; *line; line += strspn(line, "\n")) {
        const int length = (int)strcspn(line, "\n");
        const char before = why.used ? why.text[why.used - 1] : 0;
        umsim_reason_add(&why, "%s%.*s",
                         !before                          ? ""
                         : before == '.' || before == '?' ? " "
                                                          : "; ",
                         length, line);
        line += length;
    }
    if (others)
        snprintf(more, sizeof more, " (and %lu call%s after it)", others, others == 1 ? "" : "s");
    umsim_say("%s at %s returned %s%s, and nobody asked for the error: %s", left->call, left->place,
              umsim_error_name((cudaError_t)atomic_load(&left->error)), more, why.text);
    umsim_unlock();
}

/* The handler must not be unloaded before the program ends. */
static void say_it_at_the_end(void)
{
    struct umsim_library self;
    if (atomic_exchange(&owner, getpid()) == getpid())
        return;
    if (umsim_library_of((void *)(uintptr_t)at_exit, &self) && self.file[0])
        dlopen(self.file, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    on_exit(at_exit, NULL);
}

/* The calling thread's place, else one that is free; with none left, the refusal counts for the last. */
static struct left *place_for_mine(void)
{
    struct left *place = NULL;
    for (int i = 0; i < THREADS_KEPT; i++) {
        const void *thread = atomic_load(&lefts[i].thread);
        if (thread == &umsim_last_error)
            return &lefts[i];
        place = thread ? place : &lefts[i];
    }
    return place ? place : &lefts[THREADS_KEPT - 1];
}

static void keep(const struct umsim_api_call *call, cudaError_t error, const void *caller)
{
    static unsigned long number;
    struct left *left = place_for_mine();
    if (atomic_load(&left->thread)) {
        left->more++;
        return;
    }
    left->call = name_of(call);
    left->caller = caller;
    left->more = 0;
    left->number = number++;
    left->place[0] = 0;
    left->reason.used = 0;
    umsim_reason_find(&left->reason, call, error);
    atomic_store(&left->error, (int)error);
    atomic_store(&left->thread, &umsim_last_error);
}

/* ---- both ---- */

static void tell(const struct umsim_api_call *call, cudaError_t error, const void *caller)
{
    struct umsim_reason reason = {.used = 0};
    char why[sizeof reason.text];
    const struct umsim_check_asked asked = {name_of(call), caller};
    if (!umsim_refusal_is_new(asked, (int)error))
        return;
    umsim_reason_find(&reason, call, error);
    umsim_source_lines(reason.text, why, sizeof why);
    umsim_refusal_tell(asked, (int)error, why);
}

void umsim_refused(const struct umsim_api_call *call, cudaError_t error)
{
    const bool is_told = umsim_checks & UMSIM_CHECK_API;
    const bool is_answer = error == cudaErrorNotReady || error == cudaErrorGraphExecUpdateFailure;
    if (is_answer || error == umsim_sticky_error() ||
        (!is_told &&
         (quiet || umsim_is_grading() || umsim_foreign_call ||
          umsim_inside_host_function()))) /* those have been said; a foreign call's result is its own */
        return;
    const void *caller = umsim_check_program_caller(call->caller);
    if (!is_told)
        say_it_at_the_end();
    umsim_lock();
    if (is_told)
        tell(call, error, caller);
    else
        keep(call, error, caller);
    umsim_unlock();
}
