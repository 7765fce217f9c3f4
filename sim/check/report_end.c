/**
 * @file report_end.c
 * @brief What is told at a program's end: memory that is still allocated, and the table of coalescing.
 */
#include "coalesce.h"
#include "lines.h"
#include "pieces.h"
#include "report.h"
#include "results.h"
#include "../base/mode.h"
#include "../base/source_line.h"
#include "../base/sticky.h"

#include <stdio.h>

/* ---- leaks ---- */

#define KINDS_MAX 64

/* Allocations of one size that one line has made. */
static struct leak {
    const struct umsim_alloc *first;
    size_t count;
} leaks[KINDS_MAX];
static size_t kinds;

static void note_leak(struct umsim_alloc *allocation, void *total)
{
    if (allocation->memory > UMSIM_MANAGED || allocation->free_queued)
        return;
    ((size_t *)total)[0] += allocation->bytes;
    ((size_t *)total)[1]++;
    for (size_t i = 0; i < kinds; i++)
        if (allocation->caller && leaks[i].first->caller == allocation->caller &&
            leaks[i].first->call == allocation->call && leaks[i].first->bytes == allocation->bytes) {
            leaks[i].count++;
            return;
        }
    if (kinds < KINDS_MAX)
        leaks[kinds++] = (struct leak){allocation, 1};
}

static void print_leak(const struct leak *leak)
{
    const struct umsim_alloc *it = leak->first;
    struct umsim_lines lines = {.used = 0};
    char place[256];
    umsim_lines_add(&lines, "Leaked %zu bytes at %p", it->bytes, (void *)it->base);
    if (it->caller) {
        umsim_source_line(it->caller, place, sizeof place);
        umsim_lines_add(&lines, "    allocated by %s at %s", it->call, place);
        umsim_lines_place(&lines, "at", NULL, place);
    }
    umsim_field_text(&lines.fields, "call", it->call);
    umsim_field_address(&lines.fields, "address", (uintptr_t)it->base);
    umsim_field_number(&lines.fields, "bytes", it->bytes);
    if (leak->count > 1)
        umsim_lines_add(&lines, "    and %zu more like it", leak->count - 1);
    umsim_lines_cure(&lines, "    %s gives it back, when no kernel needs it any more.",
                     it->memory == UMSIM_PINNED ? "cudaFreeHost" : "cudaFree");
    umsim_lines_tell(&lines, UMSIM_IS_ERROR, "leak", leak->count);
}

static void print_left(const struct umsim_pieces_left *left, void *total)
{
    struct umsim_lines lines = {.used = 0};
    char place[256];
    ((size_t *)total)[0] += left->bytes;
    ((size_t *)total)[1] += left->count;
    umsim_lines_add(&lines, "Leaked %llu bytes of the kernels' heap", (unsigned long long)left->bytes);
    umsim_source_line(left->caller, place, sizeof place);
    umsim_lines_add(&lines, "    allocated by malloc or new at %s, %llu times", place,
                    (unsigned long long)left->count);
    umsim_lines_place(&lines, "at", NULL, place);
    umsim_field_number(&lines.fields, "bytes", left->bytes);
    umsim_lines_cure(&lines, "    free or delete in a kernel gives it back.");
    umsim_lines_tell(&lines, UMSIM_IS_ERROR, "leak", left->count);
}

void umsim_report_leaks(void)
{
    size_t total[2] = {0, 0};
    struct umsim_lines lines = {.used = 0};
    if (!(umsim_checks & UMSIM_CHECK_LEAK) ||
        umsim_sticky_error()) /* after a sticky error nothing can be freed */
        return;
    umsim_registry_each(note_leak, total);
    for (size_t i = 0; i < kinds; i++)
        print_leak(&leaks[i]);
    umsim_pieces_each_left(print_left, total);
    if (!total[1])
        return;
    umsim_lines_sums()->leaked_bytes = total[0];
    umsim_lines_sums()->leaked_allocations = total[1];
    umsim_lines_add(&lines, "LEAK SUMMARY: %zu bytes leaked in %zu allocation%s", total[0], total[1],
                    total[1] == 1 ? "" : "s");
    umsim_lines_write(&lines);
}

/* ---- output that is lost ---- */

void umsim_report_lost_output(const char *kernel)
{
    struct umsim_lines lines = {.used = 0};
    umsim_lines_add(&lines, "Error: printf() of kernel %s, for which nobody waited", kernel);
    umsim_field_text(&lines.fields, "kernel", kernel);
    umsim_lines_cause(&lines, "    A GPU's output is fetched when the program waits. At its end it is lost.");
    umsim_lines_cure(&lines, "    cudaDeviceSynchronize() before the program ends.");
    umsim_lines_tell(&lines, UMSIM_IS_ERROR, "lost output", 1);
}

/* ---- coalescing ---- */

/* A row for tools. */
static void add_row(const struct umsim_coalescing *it, const struct umsim_account *account, const char *place)
{
    struct umsim_fields row = {.used = 0};
    umsim_field_text(&row, "kernel", it->kernel);
    umsim_field_text(&row, "memory", account->name ? account->name : "other memory");
    if (*place) {
        umsim_field_open(&row, "at", '{');
        umsim_field_line(&row, NULL, place);
        umsim_field_close(&row, '{');
    }
    umsim_field_text(&row, "access", it->is_write ? "write" : "read");
    umsim_field_number(&row, "sectors", it->sectors);
    umsim_field_number(&row, "bytes_asked", it->bytes);
    umsim_field_number(&row, "bytes_moved", it->sectors * 32);
    umsim_results_add(UMSIM_RESULTS_COALESCING, &row, it->requests);
}

void umsim_report_coalescing(void)
{
    const struct umsim_coalescing *lines;
    uint64_t skipped;
    const size_t count = umsim_coalesce_lines(&lines, &skipped);
    if (!(umsim_checks & UMSIM_CHECK_COALESCING))
        return;
    struct umsim_lines head = {.used = 0};
    umsim_lines_add(&head,
                    "COALESCING: what warps asked for, and the 32-byte sectors that were moved for it");
    umsim_lines_add(&head, "    %-16s %-40s %-6s %12s %9s %14s %14s %6s", "kernel", "memory", "access",
                    "requests", "sectors/r", "bytes asked", "bytes moved", "used");
    umsim_lines_write(&head);
    for (size_t i = 0; i < count; i++) {
        const struct umsim_coalescing *it = &lines[i];
        const struct umsim_account *account = umsim_coalesce_account(it->account);
        char place[256] = "", memory[320];
        if (account->caller)
            umsim_source_line(account->caller, place, sizeof place);
        snprintf(memory, sizeof memory, "%s%s%s", account->name ? account->name : "other memory",
                 *place ? " at " : "", place);
        struct umsim_lines text = {.used = 0};
        const uint64_t moved = it->sectors * 32;
        umsim_lines_add(&text, "    %-16s %-40s %-6s %12llu %9.2f %14llu %14llu %5.1f%%", it->kernel, memory,
                        it->is_write ? "write" : "read", (unsigned long long)it->requests,
                        (double)it->sectors / (double)(it->requests ? it->requests : 1),
                        (unsigned long long)it->bytes, (unsigned long long)moved,
                        100.0 * (double)it->bytes / (double)(moved ? moved : 1));
        umsim_lines_write(&text);
        add_row(it, account, place);
    }
    struct umsim_lines tail = {.used = 0};
    if (skipped)
        umsim_lines_add(&tail, "    %llu accesses are not in it: a block made more than are kept",
                        (unsigned long long)skipped);
    umsim_lines_write(&tail);
}
