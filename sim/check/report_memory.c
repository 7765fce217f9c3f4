/**
 * @file report_memory.c
 * @brief Implementation of report_memory.h: asks the table of what exists, and the list of what was freed.
 */
#include "report_memory.h"
#include "init.h"
#include "table.h"
#include "transfers.h"
#include "../base/layout.h"
#include "../base/source_line.h"
#include "../space/arena.h"

#include <stdio.h>

const char *umsim_report_address(const struct umsim_finding *finding, char *out, size_t size)
{
    const long offset = (long)(finding->address - finding->nearest);
    if (finding->space == UMSIM_SPACE_SHARED)
        snprintf(out, size, "%s0x%lx", offset < 0 ? "-" : "", (unsigned long)(offset < 0 ? -offset : offset));
    else
        snprintf(out, size, "0x%lx", (unsigned long)finding->address);
    return out;
}

/* ---- for tools ---- */

/* Begins the member `memory`. */
static void open_memory(struct umsim_lines *text, const struct umsim_finding *finding, const char *what,
                        const char *relation, size_t distance, uintptr_t base, size_t bytes)
{
    struct umsim_fields *fields = &text->fields;
    umsim_field_open(fields, "memory", '{');
    umsim_field_text(fields, "what", what);
    umsim_field_text(fields, "relation", relation);
    umsim_field_number(fields, "distance", distance);
    if (finding->space != UMSIM_SPACE_SHARED)
        umsim_field_address(fields, "address", base);
    umsim_field_number(fields, "bytes", bytes);
}

static void close_memory(struct umsim_lines *text)
{
    umsim_field_close(&text->fields, '{');
}

static void add_call(struct umsim_lines *text, const char *member, const char *call, const char *place)
{
    umsim_field_open(&text->fields, member, '{');
    umsim_field_text(&text->fields, "call", call);
    umsim_field_line(&text->fields, NULL, place);
    umsim_field_close(&text->fields, '{');
}

/* ---- next to it ---- */

static void add_distance(struct umsim_lines *text, const struct umsim_finding *finding, const char *what,
                         uintptr_t base, size_t size)
{
    const uintptr_t p = finding->address;
    const unsigned long shown = finding->space == UMSIM_SPACE_SHARED ? 0 : (unsigned long)base;
    const bool is_before = p < base, is_across = !is_before && p - base < size;
    const size_t distance = is_before   ? (size_t)(base - p)
                            : is_across ? (size_t)(p + finding->bytes - base - size)
                                        : (size_t)(p - base - size + 1);
    if (is_before)
        umsim_lines_add(text, "    and is %zu bytes before the nearest %s at 0x%lx of size %zu bytes",
                        distance, what, shown, size);
    else if (is_across)
        umsim_lines_add(text,
                        "    and its last %zu bytes are after the nearest %s at 0x%lx of size %zu bytes",
                        distance, what, shown, size);
    else
        umsim_lines_add(text, "    and is %zu bytes after the nearest %s at 0x%lx of size %zu bytes",
                        distance, what, shown, size);
    open_memory(text, finding, what,
                is_before   ? "before"
                : is_across ? "across"
                            : "after",
                distance, base, size);
}

static void add_made(struct umsim_lines *text, const char *call, const void *caller)
{
    char place[256];
    if (!caller)
        return;
    umsim_source_line(caller, place, sizeof place);
    umsim_lines_add(text, "    allocated by %s at %s", call, place);
    add_call(text, "allocated", call, place);
}

static void add_freed(struct umsim_lines *text, const struct umsim_finding *finding,
                      const struct umsim_alloc *note)
{
    char place[256];
    const uintptr_t base = (uintptr_t)note->base;
    const size_t distance = (size_t)(finding->address - base);
    const char *call = note->freed_call ? note->freed_call : "the program";
    umsim_source_line(note->freed_caller, place, sizeof place);
    umsim_lines_add(text, "    and is %zu bytes inside a freed allocation at 0x%lx of size %zu bytes",
                    distance, (unsigned long)base, note->bytes);
    open_memory(text, finding, "allocation", "freed", distance, base, note->bytes);
    add_made(text, note->call, note->caller);
    umsim_lines_add(text, "    freed by %s at %s", call, place);
    add_call(text, "freed", call, place);
    close_memory(text);
}

/* Whether `p` is near enough that `nearest` was probably meant. */
static bool is_near(uintptr_t p, const struct umsim_memory_known *nearest)
{
    const size_t reach = nearest->bytes < UMSIM_PAGE ? UMSIM_PAGE : nearest->bytes;
    return nearest->bytes &&
           (umsim_arena_of((const void *)p) || p - nearest->base + reach < nearest->bytes + 2 * reach);
}

static const char *lesson_of_stray(uintptr_t p, const struct umsim_memory_known *nearest)
{
    if (p < UMSIM_PAGE)
        return "The pointer is NULL, or close to it: was it allocated, and is it the one that the kernel was "
               "given?";
    if (!is_near(p, nearest))
        return "The address is none of the GPU's: a host pointer has to be copied to memory of cudaMalloc, "
               "or be managed.";
    return "An index is too large or too small: does every thread that has nothing to do return, `if (i < "
           "n)`?";
}

static const char *add_outside_shared(struct umsim_lines *text, const struct umsim_finding *finding)
{
    if (finding->nearest_bytes) {
        add_distance(text, finding, finding->is_dynamic ? "dynamic __shared__ memory" : "__shared__ variable",
                     finding->nearest, finding->nearest_bytes);
        close_memory(text);
    }
    return finding->is_dynamic
               ? "The launch's third parameter, <<<grid, block, bytes>>>, says how much there is."
               : "__shared__ memory ends with the variable: is its size the block's?";
}

const char *umsim_report_outside(struct umsim_lines *text, const struct umsim_finding *finding)
{
    const uintptr_t p = finding->address;
    char address[32];
    umsim_lines_cause(text, "    Access at %s is out of bounds",
                      umsim_report_address(finding, address, sizeof address));
    if (finding->space == UMSIM_SPACE_SHARED)
        return add_outside_shared(text, finding);
    struct umsim_memory_known nearest;
    const struct umsim_alloc *freed = umsim_registry_freed((const void *)p);
    const bool inside = umsim_table_find(p, &nearest);
    if (freed && !inside) {
        add_freed(text, finding, freed);
        return "Memory is the kernel's until it is freed, and a launch only begins the kernel: free after "
               "the last use.";
    }
    if (is_near(p, &nearest)) {
        add_distance(text, finding, nearest.what == UMSIM_KNOWN_ALLOCATION ? "allocation" : nearest.name,
                     nearest.base, nearest.bytes);
        add_made(text, nearest.name, nearest.caller);
        close_memory(text);
    }
    return lesson_of_stray(p, &nearest);
}

void umsim_report_own_array(struct umsim_lines *text, const struct umsim_own_array *array, const char *what)
{
    const uint64_t distance =
        array->index < 0 ? (uint64_t)-array->index : (uint64_t)array->index - array->elements;
    struct umsim_fields *fields = &text->fields;
    umsim_field_open(fields, "memory", '{');
    umsim_field_text(fields, "what", what);
    umsim_field_text(fields, "relation", array->index < 0 ? "before" : "after");
    umsim_field_number(fields, "distance", distance * array->element_bytes);
    umsim_field_number(fields, "bytes", array->elements * array->element_bytes);
    close_memory(text);
}

/* ---- in it ---- */

void umsim_report_inside(struct umsim_lines *text, const struct umsim_finding *finding)
{
    struct umsim_memory_known known;
    const size_t offset = (size_t)(finding->address - finding->nearest);
    if (finding->space == UMSIM_SPACE_SHARED) {
        umsim_lines_add(text, "    and is %zu bytes inside %s of size %zu bytes", offset,
                        finding->is_dynamic ? "the dynamic __shared__ memory" : "a __shared__ variable",
                        finding->nearest_bytes);
        open_memory(text, finding, finding->is_dynamic ? "dynamic __shared__ memory" : "__shared__ variable",
                    "inside", offset, finding->nearest, finding->nearest_bytes);
        close_memory(text);
        return;
    }
    if (!umsim_table_find(finding->address, &known))
        return;
    const char *what = known.what == UMSIM_KNOWN_ALLOCATION ? "allocation" : known.name;
    const size_t distance = (size_t)(finding->address - known.base);
    umsim_lines_add(text, "    and is %zu bytes inside the %s at 0x%lx of size %zu bytes", distance, what,
                    (unsigned long)known.base, known.bytes);
    open_memory(text, finding, what, "inside", distance, known.base, known.bytes);
    add_made(text, known.name, known.caller);
    close_memory(text);
}

const char *umsim_report_short_transfer(struct umsim_lines *text, uintptr_t p)
{
    struct umsim_memory_known known;
    char place[256];
    if (!umsim_table_find(p, &known))
        return NULL;
    const struct umsim_transfer_note *note = umsim_transfer_before(known.base, p);
    if (!note)
        return NULL;
    umsim_source_line(note->asked.caller, place, sizeof place);
    umsim_lines_add(text, "    %s at %s wrote %zu of its %zu bytes", note->asked.call, place, note->bytes,
                    known.bytes);
    umsim_lines_place(text, "short_copy", NULL, place);
    return "Sizes are in bytes: n * sizeof of an element. sizeof of a pointer is 8, whatever it leads to.";
}

bool umsim_report_written_until(uintptr_t p)
{
    struct umsim_memory_known known;
    return umsim_table_find(p, &known) && p > known.base &&
           umsim_init_missing(known.base, p - known.base) == p;
}
