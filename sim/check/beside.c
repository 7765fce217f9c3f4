/**
 * @file beside.c
 * @brief Implementation of beside.h.
 */
#include "beside.h"
#include "deferred.h"
#include "finding.h"
#include "lines.h"
#include "race.h"
#include "report_memory.h"
#include "../base/layout.h"
#include "../base/source_line.h"

#include <string.h>
#include <sys/mman.h>

#define PLACES_MAX 64

static struct {
    const void *one, *other;
} places[PLACES_MAX]; /* pairs that have been told */
static size_t place_count;

static bool is_new(const void *one, const void *other)
{
    for (size_t i = 0; i < place_count; i++)
        if (places[i].one == one && places[i].other == other)
            return false;
    if (place_count < PLACES_MAX) {
        places[place_count].one = one;
        places[place_count++].other = other;
    }
    return true;
}

/* ---- the rows of a copy, on one of its sides ---- */

struct rows {
    uintptr_t start;
    size_t pitch, width, count;
};

static struct rows rows_of(const struct umsim_transfer *what, bool to)
{
    return (struct rows){to ? what->to : what->from, to ? what->to_pitch : what->from_pitch, what->width,
                         what->rows};
}

static uintptr_t end_of(const struct rows *it)
{
    return it->start + it->pitch * (it->count - 1) + it->width;
}

/* The first byte of [p, end) that is in a row; `end`: there is none. */
static uintptr_t first_in(const struct rows *it, uintptr_t p, uintptr_t end)
{
    if (p < it->start)
        p = it->start;
    if (p >= end || p >= end_of(it))
        return end;
    const size_t row = it->count > 1 ? (p - it->start) / it->pitch : 0;
    if (p - it->start - row * it->pitch >= it->width)
        p = it->start + (row + 1) * it->pitch;
    return p < end && p < end_of(it) ? p : end;
}

/* A byte that is in both; 0: there is none. */
static uintptr_t common(const struct rows *a, const struct rows *b)
{
    if (!a->start || !b->start || a->start >= end_of(b) || b->start >= end_of(a))
        return 0;
    for (size_t row = 0; row < a->count; row++) {
        const uintptr_t p = a->start + row * a->pitch, found = first_in(b, p, p + a->width);
        if (found != p + a->width)
            return found;
    }
    return 0;
}

bool umsim_moved_has(const struct umsim_moved *moved, uintptr_t p, bool to)
{
    const struct rows rows = rows_of(&moved->what, to);
    return rows.start && rows.count && first_in(&rows, p, p + 1) == p;
}

/* ---- what is told ---- */

static void add_asked(struct umsim_lines *text, const char *name, const char *before,
                      const struct umsim_moved *moved)
{
    char place[256];
    umsim_source_line(moved->asked.caller, place, sizeof place);
    umsim_lines_add(text, "%s%s at %s", before, moved->asked.call, place);
    umsim_lines_place(text, name, NULL, place);
}

static void end_text(struct umsim_lines *text, uintptr_t p, const char *what)
{
    umsim_field_address(&text->fields, "address", p);
    umsim_report_inside(text, &(struct umsim_finding){.address = p});
    umsim_lines_cure(text,
                     "    Nothing puts %s in order: cudaStreamWaitEvent() between their streams, or one "
                     "stream for both.",
                     what);
    umsim_lines_tell(text, UMSIM_IS_ERROR, "race", 1);
}

static void tell_moved(uintptr_t p, const struct umsim_moved *a, const struct umsim_moved *b)
{
    struct umsim_lines text = {.used = 0};
    if (!is_new(a->asked.caller, b->asked.caller))
        return;
    add_asked(&text, "other", "Error: Race reported between ", b);
    add_asked(&text, "at", "    and ", a);
    umsim_lines_cause(&text, "    One writes what the other one uses, at 0x%lx", (unsigned long)p);
    end_text(&text, p, "the two");
}

void umsim_beside_moved(const struct umsim_moved *a, const struct umsim_moved *b)
{
    const struct rows to = rows_of(&a->what, true), from = rows_of(&a->what, false),
                      other_to = rows_of(&b->what, true), other_from = rows_of(&b->what, false);
    const bool are_alike = !a->what.from && !b->what.from && a->what.value == b->what.value &&
                           a->what.element == b->what.element;
    uintptr_t p = are_alike ? 0 : common(&to, &other_to);
    p = p ? p : common(&to, &other_from);
    p = p ? p : common(&from, &other_to);
    if (p)
        tell_moved(p, a, b);
}

/* ---- kernels ---- */

static bool is_used(const struct rows *rows, uintptr_t word, bool by_reads, unsigned slot)
{
    const uint64_t *shadow = umsim_race_shadow((const void *)word);
    if (first_in(rows, word, word + UMSIM_SHADOWED_BYTES) != word ||
        first_in(rows, word + UMSIM_SHADOWED_BYTES - 1, word + UMSIM_SHADOWED_BYTES) ==
            word + UMSIM_SHADOWED_BYTES)
        return false;
    return umsim_race_is_beside(shadow, slot, by_reads);
}

/* The first word that the kernel has written, or read. Shadow words that are not in memory were never
 * written. */
static uintptr_t used_word(const struct rows *rows, bool by_reads, unsigned slot)
{
    const uintptr_t start = umsim_round_up(rows->start, UMSIM_SHADOWED_BYTES);
    const size_t step = UMSIM_PAGE / (UMSIM_SHADOW_WORDS * sizeof(uint64_t)) * UMSIM_SHADOWED_BYTES;
    for (uintptr_t p = start, next; p < end_of(rows); p = next) {
        unsigned char resident[UMSIM_PAGE / UMSIM_HOST_PAGE];
        next = umsim_round_down(p, step) + step;
        uint64_t *shadow = umsim_race_shadow((const void *)umsim_round_down(p, step));
        if (!shadow || mincore(shadow, UMSIM_PAGE, resident) != 0 || !memchr(resident, 1, sizeof resident))
            continue;
        for (; p < next && p + UMSIM_SHADOWED_BYTES <= end_of(rows); p += UMSIM_SHADOWED_BYTES)
            if (is_used(rows, p, by_reads, slot))
                return p;
    }
    return 0;
}

static void tell_kernel(uintptr_t p, const struct umsim_moved *moved, bool is_read, const char *kernel,
                        const void *launched)
{
    struct umsim_lines text = {.used = 0};
    char place[256];
    if (!is_new(launched, moved->asked.caller))
        return;
    umsim_source_line(launched, place, sizeof place);
    umsim_lines_add(&text, "Error: Race reported between kernel %s, launched at %s", kernel, place);
    umsim_lines_place(&text, "launched", NULL, place);
    umsim_field_text(&text.fields, "kernel", kernel);
    add_asked(&text, "at", "    and ", moved);
    umsim_lines_cause(&text, "    It %s what the kernel %s, at 0x%lx", is_read ? "reads" : "writes",
                      is_read ? "writes" : "uses", (unsigned long)p);
    end_text(&text, p, "the kernel and it");
}

void umsim_beside_kernel(const struct umsim_moved *moved, unsigned slot, const char *kernel,
                         const void *launched)
{
    const struct rows to = rows_of(&moved->what, true), from = rows_of(&moved->what, false);
    umsim_deferred_settle();
    uintptr_t p = umsim_race_shadow((const void *)to.start) ? used_word(&to, true, slot) : 0;
    const bool is_read = !p;
    if (!p && from.start && umsim_race_shadow((const void *)from.start))
        p = used_word(&from, false, slot);
    if (p)
        tell_kernel(p, moved, is_read, kernel, launched);
}
