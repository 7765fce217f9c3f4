/**
 * @file refusal.c
 * @brief Implementation of refusal.h: a list of the places that were told.
 */
#include "refusal.h"
#include "lines.h"
#include "results.h"
#include "../base/error_names.h"
#include "../base/source_line.h"
#include "../include/driver_types.h"

#include <string.h>

#define PLACES_MAX 256

static struct refusal {
    struct umsim_check_asked asked;
    int error;
    unsigned long count;
    size_t record; /* what umsim_results_count() names it by */
} refusals[PLACES_MAX];
static unsigned refusals_count;

bool umsim_refusal_is_new(struct umsim_check_asked asked, int error)
{
    for (unsigned i = 0; i < refusals_count; i++)
        if (refusals[i].asked.caller == asked.caller && refusals[i].error == error &&
            (asked.caller || refusals[i].asked.call == asked.call)) {
            refusals[i].count++;
            return false;
        }
    if (refusals_count < PLACES_MAX)
        refusals[refusals_count++] = (struct refusal){asked, error, 1, 0};
    return true;
}

void umsim_refusal_tell(struct umsim_check_asked asked, int error, const char *why)
{
    char function[256], place[256];
    struct umsim_lines lines = {.used = 0};
    umsim_source_place(asked.caller, function, sizeof function, place, sizeof place);
    umsim_lines_add(&lines, "Program hit %s (error %d) on CUDA API call to %s",
                    umsim_error_name((cudaError_t)error), error, asked.call);
    umsim_lines_add(&lines, "    at %s in %s", *function ? function : "host code", place);
    umsim_lines_place(&lines, "at", function, place);
    umsim_field_text(&lines.fields, "call", asked.call);
    umsim_lines_error(&lines, error);
    while (*why) {
        const size_t length = strcspn(why, "\n");
        if (why[length] && why[length + 1])
            umsim_lines_cause(&lines, "    %.*s", (int)length, why);
        else
            umsim_lines_cure(&lines, "    %.*s", (int)length, why);
        why += length + (why[length] == '\n');
    }
    if (lines.cause.from == lines.cause.to) /* one line says both */
        lines.cause = lines.cure;
    const size_t record = umsim_lines_tell(&lines, UMSIM_IS_ERROR, "refused call", 1);
    for (unsigned i = 0; i < refusals_count; i++)
        if (refusals[i].asked.caller == asked.caller && refusals[i].error == error && !refusals[i].record)
            refusals[i].record = record;
}

void umsim_refusals_repeated(void)
{
    char place[256];
    for (unsigned i = 0; i < refusals_count; i++) {
        struct umsim_lines lines = {.used = 0};
        if (refusals[i].count == 1)
            continue;
        umsim_source_line(refusals[i].asked.caller, place, sizeof place);
        const unsigned long more = refusals[i].count - 1;
        umsim_results_count(refusals[i].record, refusals[i].count);
        umsim_lines_add(&lines, "%s returned %s at %s again, %lu time%s", refusals[i].asked.call,
                        umsim_error_name((cudaError_t)refusals[i].error), place, more, more == 1 ? "" : "s");
        umsim_lines_add(&lines, "%s", "");
        umsim_lines_write(&lines);
    }
}
