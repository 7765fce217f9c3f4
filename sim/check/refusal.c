/**
 * @file refusal.c
 * @brief Implementation of refusal.h.
 */
#include "refusal.h"
#include "report.h"
#include "../base/error_names.h"
#include "../base/libc.h"
#include "../base/source_line.h"
#include "../include/driver_types.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PLACES_MAX 256

static struct refusal {
    struct umsim_check_asked asked;
    int error;
    unsigned long count;
} refusals[PLACES_MAX];
static unsigned refusals_count;

bool umsim_refusal_is_new(struct umsim_check_asked asked, int error)
{
    for (unsigned i = 0; i < refusals_count; i++)
        if (refusals[i].asked.caller == asked.caller && refusals[i].error == error) {
            refusals[i].count++;
            return false;
        }
    if (refusals_count < PLACES_MAX)
        refusals[refusals_count++] = (struct refusal){asked, error, 1};
    return true;
}

struct lines {
    char text[4096];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct lines *lines, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int written =
        vsnprintf(lines->text + lines->used, sizeof lines->text - lines->used, format, values);
    va_end(values);
    lines->used += written > 0 ? (size_t)written : 0;
    if (lines->used >= sizeof lines->text)
        lines->used = sizeof lines->text - 1;
}

/* One write, so that lines of several threads do not mix. */
static void emit(const struct lines *lines)
{
    fflush(stdout);
    if (umsim_real_write(STDERR_FILENO, lines->text, lines->used) < 0)
        return; /* stderr cannot be written: there is no other way to report */
}

void umsim_refusal_tell(struct umsim_check_asked asked, int error, const char *why)
{
    char function[256], place[256];
    struct lines lines = {.used = 0};
    umsim_source_place(asked.caller, function, sizeof function, place, sizeof place);
    add(&lines, "========= Program hit %s (error %d) on CUDA API call to %s\n",
        umsim_error_name((cudaError_t)error), error, asked.call);
    add(&lines, "=========     at %s in %s\n", *function ? function : "host code", place);
    while (*why) {
        const size_t length = strcspn(why, "\n");
        add(&lines, "=========     %.*s\n", (int)length, why);
        why += length + (why[length] == '\n');
    }
    add(&lines, "========= \n");
    emit(&lines);
    umsim_check_counts();
}

void umsim_refusals_repeated(void)
{
    char place[256];
    for (unsigned i = 0; i < refusals_count; i++) {
        struct lines lines = {.used = 0};
        if (refusals[i].count == 1)
            continue;
        umsim_source_line(refusals[i].asked.caller, place, sizeof place);
        add(&lines, "========= %s at %s: %lu more like it\n========= \n", refusals[i].asked.call, place,
            refusals[i].count - 1);
        emit(&lines);
    }
}
