/**
 * @file told.c
 * @brief What other layers have told of the program, as reports: kernels that failed, and the host's bad
 * accesses.
 *
 * Their texts are lessons (fault/explain.c): a first line, and lines that begin with `why` and `instead`.
 */
#include "check.h"
#include "lines.h"
#include "report.h"
#include "results.h"
#include "../base/mode.h"
#include "../base/source_line.h"
#include "../worker/launches.h"

#include <errno.h>
#include <string.h>

#define WHY "  why      "
#define INSTEAD "  instead  "
#define FURTHER "           "

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Lines that go on with the last one are indented as far as its text. */
static void add_lesson(struct umsim_lines *lines, const char *text)
{
    enum { PLAIN, CAUSE, CURE } part = PLAIN;
    for (int bytes; *text; text += bytes + (text[bytes] == '\n')) {
        bytes = (int)strcspn(text, "\n");
        if (begins(text, WHY))
            part = CAUSE;
        else if (begins(text, INSTEAD))
            part = CURE;
        else if (!begins(text, FURTHER))
            part = PLAIN;
        if (part == CAUSE)
            umsim_lines_cause(lines, "%.*s", bytes, text);
        else if (part == CURE)
            umsim_lines_cure(lines, "%.*s", bytes, text);
        else if (bytes)
            umsim_lines_add(lines, "%.*s", bytes, text);
    }
}

void umsim_check_told(const struct umsim_kernel_fault *fault, const char *text)
{
    struct umsim_lines lines = {.used = 0};
    const size_t name = strlen(program_invocation_short_name);
    text += *text == '\n';
    if (begins(text, program_invocation_short_name) && begins(text + name, ": "))
        text += name + 2;
    add_lesson(&lines, text);
    if (fault) {
        umsim_field_text(&lines.fields, "kernel", fault->kernel);
        umsim_lines_error(&lines, fault->error);
    }
    if (fault && fault->thread_known) {
        umsim_field_open(&lines.fields, "at", '{');
        umsim_field_index(&lines.fields, "block", fault->block_index.x, fault->block_index.y,
                          fault->block_index.z);
        umsim_field_index(&lines.fields, "thread", fault->thread_index.x, fault->thread_index.y,
                          fault->thread_index.z);
        umsim_field_close(&lines.fields, '{');
    }
    umsim_lines_told(&lines, UMSIM_IS_ERROR, fault ? "kernel failed" : "device gone", 1);
}

/* ---- the host's bad accesses ---- */

static char explained[2048];

void umsim_check_explained(const char *text)
{
    const size_t bytes = strlen(text) < sizeof explained ? strlen(text) : sizeof explained - 1;
    memcpy(explained, text, bytes);
    explained[bytes] = 0;
}

void umsim_check_host_fault(const void *pc)
{
    char function[256], place[256];
    struct umsim_lines lines = {.used = 0};
    if (!umsim_checks)
        return;
    umsim_source_place(umsim_check_program_at(pc), function, sizeof function, place, sizeof place);
    umsim_lines_add(&lines, "Error: a bad access of the host ends the program");
    umsim_lines_add(&lines, "    at %s in %s", *function ? function : "host code", place);
    umsim_lines_place(&lines, "at", function, place);
    const size_t used = lines.used;
    umsim_lines_add(&lines, "%s", "");
    umsim_lines_write(&lines);
    lines.used = used;
    add_lesson(&lines, explained);
    umsim_lines_told(&lines, UMSIM_IS_ERROR, "host fault", 1);
    umsim_report_summary();
    umsim_results_close(-1);
}
