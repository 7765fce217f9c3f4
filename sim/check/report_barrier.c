/**
 * @file report_barrier.c
 * @brief Implementation of report_barrier.h.
 */
#include "report_barrier.h"

#include <stdio.h>

static void add_barrier_place(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char line[128];
    snprintf(line, sizeof line, "%s:%d", finding->file, finding->line);
    umsim_lines_add(text, "    at %s in kernel %s, in block (%u,%u,%u)", line, finding->kernel,
                    finding->by.block.x, finding->by.block.y, finding->by.block.z);
    umsim_field_text(&text->fields, "kernel", finding->kernel);
    umsim_field_open(&text->fields, "at", '{');
    umsim_field_line(&text->fields, NULL, line);
    umsim_field_index(&text->fields, "block", finding->by.block.x, finding->by.block.y, finding->by.block.z);
    umsim_field_close(&text->fields, '{');
}

const char *umsim_report_passed_by(struct umsim_lines *text, const struct umsim_finding *finding)
{
    umsim_lines_add(text,
                    finding->passed ? "Error: %s pass a barrier by at which others wait"
                                    : "Note: %s have ended, and others wait at a barrier",
                    finding->threads);
    add_barrier_place(text, finding);
    umsim_field_text(&text->fields, "threads", finding->threads);
    if (finding->condition)
        umsim_lines_cause(text, "    They left the `if` or loop at %s:%d without coming to it",
                          finding->condition_file, finding->condition);
    else if (!finding->bytes && finding->passed)
        umsim_lines_cause(
            text,
            "    They came to the kernel's end: the barrier is under a condition that is false for them");
    if (!finding->bytes)
        return "If they passed it by in an `if`, put the barrier behind it: what they should have done is "
               "missing.";
    umsim_lines_cause(
        text, "    They came to %zu barrier%s, the last on this line, and the others come to it again",
        finding->bytes, finding->bytes == 1 ? "" : "s");
    return "A loop with a barrier should make as many turns in each thread of the block.";
}

static void lanes_text(unsigned lanes, char *out, size_t size)
{
    size_t used = 0;
    *out = 0;
    for (unsigned first = 0; first < 32; first++) {
        unsigned last = first;
        if (!(lanes >> first & 1))
            continue;
        while (last < 31 && lanes >> (last + 1) & 1)
            last++;
        const int written = snprintf(out + used, size - used, last > first ? "%s%u..%u" : "%s%u",
                                     used ? ", " : "", first, last);
        used += written > 0 && (size_t)written < size - used ? (size_t)written : 0;
        first = last;
    }
}

const char *umsim_report_absent_lanes(struct umsim_lines *text, const struct umsim_finding *finding)
{
    char lanes[128];
    lanes_text((unsigned)finding->address, lanes, sizeof lanes);
    umsim_lines_add(text,
                    finding->passed ? "Error: the mask of %s names lanes %s, which pass it by"
                                    : "Note: the mask of %s names lanes %s, which never come",
                    finding->operation, lanes);
    add_barrier_place(text, finding);
    if (finding->passed)
        umsim_lines_cause(
            text, "    They came to the kernel's end: the call is under a condition that is false for them");
    else if (finding->bytes < 32)
        umsim_lines_cause(text, "    The warp has %zu threads", finding->bytes);
    else
        umsim_lines_cause(text, "    They have ended");
    umsim_field_text(&text->fields, "threads", lanes);
    return "A value that is taken from such a lane is undefined: name the lanes that call.";
}
