/**
 * @file segments.c
 * @brief Implementation of segments.h: functions, their segments and loops, the notes and their table.
 *
 * Only functions that kernels can come to get notes. A note is a call that leaves registers and flags as they
 * are (sim/count/segments.c); where the first call of a segment is one for an access, that tells of the
 * segment, too. The table has a line for each segment (struct umsim_segment).
 *
 * Where a jump leads is not known (a computed one), the function counts as having no
 * loops.
 *
 * A kernel that was cut at its barriers loops over the threads of a block. What belongs to such a loop gets
 * no notes, and is no loop of the kernel's: from the mark that umsim::count_nothing() leaves to the calls
 * that tell of a thread, or of the block as a whole (umsim/fission.h).
 */
#include "segments.h"
#include "listing.h"
#include "loops.h"

#include <stdlib.h>
#include <string.h>

/* Loops of up to so many instructions are unrolled by MOST, others by SOME. */
#define SMALL 14
#define MOST 16
#define SOME 4

struct notes {
    const struct umcc_machine *machine;
    struct umcc_arena arena;
    struct umcc_listing text;
    struct umcc_flow flow; /* of the function in hand */
    unsigned before;       /* segments of functions that are done */
    struct umcc_text table, *out;
};

/* ---- segments ---- */

static bool ends_segment(const struct umcc_instruction *it)
{
    return umcc_jump_target(it).length || it->never_goes_on;
}

static bool calls(const struct umcc_instruction *it, const char *name)
{
    const struct umcc_operand operand = it->operand[0];
    return it->operands == 1 && memmem(operand.text, operand.length, name, strlen(name));
}

/* Whose what follows a line is. */
static enum umcc_share share_behind(const struct umcc_line *it)
{
    return it->kind == UMCC_NOTHING_FROM_HERE              ? UMCC_TO_LOOP
           : calls(&it->instruction, "umsim_count_thread") ? UMCC_TO_THREAD
           : calls(&it->instruction, "umsim_count_common") ? UMCC_TO_BLOCK
                                                           : UMCC_GOES_ON;
}

static void begin_segment(struct umcc_flow *flow, int line, enum umcc_owner owner)
{
    const int s = flow->segments++;
    flow->segment[s] = (struct umcc_segment){.first = line,
                                             .last = line,
                                             .told_by = s,
                                             .next = {UMCC_NONE, UMCC_NONE},
                                             .above = UMCC_NONE,
                                             .order = UMCC_NONE,
                                             .header = UMCC_NONE,
                                             .latch = UMCC_NONE,
                                             .owner = owner};
}

/* What begins to be the kernel's directly before a label is a segment, though it has no instruction: what is
 * noted there is not what jumps to the label. */
static void find_segments(struct notes *n, const struct umcc_function *function)
{
    bool begins = true;
    enum umcc_owner next = UMCC_KERNEL;
    n->flow.segments = 0;
    for (int i = function->first; i < function->last; i++) {
        const struct umcc_line *it = &n->text.line[i];
        if (it->kind == UMCC_LABEL && next == UMCC_KERNEL && n->flow.segments) {
            begin_segment(&n->flow, i, next);
            next = UMCC_AS_BEFORE;
        }
        begins |= it->kind == UMCC_LABEL;
        if (it->kind != UMCC_INSTRUCTION && it->kind != UMCC_NOTHING_FROM_HERE)
            continue;
        if (begins) {
            begin_segment(&n->flow, i, next);
            next = UMCC_AS_BEFORE;
        }
        struct umcc_segment *segment = &n->flow.segment[n->flow.segments - 1];
        segment->last = i;
        segment->share = share_behind(it);
        if (segment->share != UMCC_GOES_ON)
            next = segment->share == UMCC_TO_LOOP ? UMCC_LOOP : UMCC_KERNEL;
        begins = segment->share != UMCC_GOES_ON || ends_segment(&it->instruction);
    }
}

/* A segment that does not tell whose it is belongs to where it is come from. */
static void find_owners(const struct umcc_flow *flow)
{
    for (bool any = true; any;) {
        any = false;
        for (int s = 0; s < flow->segments; s++)
            for (int k = 0; k < 2 && flow->segment[s].owner != UMCC_AS_BEFORE; k++) {
                const int to = flow->segment[s].next[k];
                if (to == UMCC_NONE || flow->segment[to].owner != UMCC_AS_BEFORE)
                    continue;
                flow->segment[to].owner = flow->segment[s].owner;
                any = true;
            }
    }
}

static bool is_over_threads(const struct umcc_flow *flow, int header)
{
    return header != UMCC_NONE && flow->segment[flow->segment[header].latch].owner == UMCC_LOOP;
}

/* A loop over threads is none of the kernel's: what is in it is in the loop around it. */
static void leave_loops_over_threads(const struct umcc_flow *flow)
{
    for (int s = 0; s < flow->segments; s++)
        while (is_over_threads(flow, flow->segment[s].header))
            flow->segment[s].header = flow->segment[flow->segment[s].header].header;
    for (int s = 0; s < flow->segments; s++)
        flow->segment[s].is_header = flow->segment[s].is_header && !is_over_threads(flow, s);
}

/* @return the segment behind the label */
static int segment_at(const struct notes *n, const struct umcc_function *function, struct umcc_operand label)
{
    int s = 0;
    for (int i = function->first; i < function->last; i++) {
        const struct umcc_line *it = &n->text.line[i];
        while (s < n->flow.segments && n->flow.segment[s].first <= i)
            s++;
        if (it->kind == UMCC_LABEL && (size_t)(it->end - it->text) > label.length &&
            it->text[label.length] == ':' && memcmp(it->text, label.text, label.length) == 0)
            return s < n->flow.segments ? s : UMCC_NONE;
    }
    return UMCC_NONE;
}

/* @return whether it is known where all jumps lead */
static bool link_segments(struct notes *n, const struct umcc_function *function)
{
    bool is_known = true;
    n->flow.is_left = false;
    for (int s = 0; s < n->flow.segments; s++) {
        struct umcc_segment *it = &n->flow.segment[s];
        const struct umcc_instruction *last = &n->text.line[it->last].instruction;
        const struct umcc_operand target = umcc_jump_target(last);
        if (target.length)
            it->next[0] = segment_at(n, function, target);
        n->flow.is_left |= target.length && it->next[0] == UMCC_NONE &&
                           (!last->never_goes_on || *target.text == '.'); /* to a part that is cold */
        if (!last->never_goes_on && s + 1 < n->flow.segments)
            it->next[1] = s + 1;
        is_known &= !last->is_computed;
    }
    return is_known;
}

/* A segment that tells of undefined behaviour, or stops: no GPU has it. */
static bool is_message(const struct notes *n, int s)
{
    static const char handler[] = "__ubsan_handle";
    const struct umcc_segment *it = &n->flow.segment[s];
    for (int i = it->first; i <= it->last; i++) {
        const struct umcc_instruction *at = &n->text.line[i].instruction;
        if (n->text.line[i].kind == UMCC_INSTRUCTION && at->operands == 1 &&
            at->operand[0].length > sizeof handler &&
            memcmp(at->operand[0].text, handler, sizeof handler - 1) == 0)
            return true;
    }
    return n->text.line[it->last].instruction.stops;
}

/* @return whether a pass ends with one comparison, of what steps by a constant: how many passes there are can
 * be reckoned without a division */
static bool steps_evenly(const struct notes *n, int header)
{
    const struct umcc_segment *latch = &n->flow.segment[n->flow.segment[header].latch];
    struct umcc_instruction compared = {.operands = 0};
    for (int i = latch->last; i >= latch->first; i--) {
        const struct umcc_instruction *it = &n->text.line[i].instruction;
        if (n->text.line[i].kind != UMCC_INSTRUCTION)
            continue;
        if (it->is_chained)
            return false;
        if (umcc_is_even_step(n->machine, it, &compared))
            return true;
        if (!compared.operands && it->compares)
            compared = *it;
        else if (it->operands == 2 && it->does == UMCC_MOVE)
            umcc_compare_source(n->machine, &compared, it);
    }
    return false;
}

/* ---- the work of a segment ---- */

static void weigh(struct notes *n, int s, unsigned unrolled)
{
    struct umcc_segment *it = &n->flow.segment[s];
    struct umcc_values values = {.machine = n->machine};
    const int header = it->is_header ? s : it->header;
    const int guarded = it->next[0] != UMCC_NONE && n->flow.segment[it->next[0]].is_guard;
    const struct umcc_place_of_work place = {unrolled, unrolled > 1 && n->flow.segment[header].latch == s,
                                             header != UMCC_NONE && unrolled == 1, guarded || it->is_guard};
    for (int pass = 0; pass < 2; pass++) {
        memset(it->work, 0, sizeof it->work);
        umcc_begin_again(&values);
        for (int i = it->first; i <= it->last && !it->is_guard && it->owner != UMCC_LOOP; i++)
            if (n->text.line[i].kind == UMCC_INSTRUCTION)
                umcc_weigh(&n->text.line[i].instruction, &values, place, it->work);
    }
    it->work[UMSIM_WORK_CHAIN] =
        (unrolled > 1 ? umcc_longest_way(&values) : umcc_depth(&values)) * UMSIM_WORK_ONE;
    it->unrolled = unrolled;
}

static unsigned instructions_of(const struct umcc_segment *it)
{
    unsigned all = 0;
    for (int c = 0; c < UMSIM_WORK_INSTRUCTIONS; c++)
        all += it->work[c];
    return all / UMSIM_WORK_ONE;
}

/* How many passes of a loop become one. */
static unsigned unrolled_by(const struct notes *n, int header)
{
    unsigned instructions = 0;
    for (int s = 0; s < n->flow.segments; s++) {
        if (s != header && n->flow.segment[s].header != header)
            continue;
        if (s != header && n->flow.segment[s].is_header)
            return 1;
        instructions += instructions_of(&n->flow.segment[s]);
    }
    return !umcc_ends_at_latch(&n->flow, header) || !steps_evenly(n, header) ? 1
           : instructions <= SMALL                                           ? MOST
                                                                             : SOME;
}

static void weigh_all(struct notes *n)
{
    for (int s = 0; s < n->flow.segments; s++)
        n->flow.segment[s].is_guard = is_message(n, s);
    for (int s = 0; s < n->flow.segments; s++)
        weigh(n, s, 1);
    for (int header = 0; header < n->flow.segments; header++) {
        const unsigned unrolled = n->flow.segment[header].is_header ? unrolled_by(n, header) : 1;
        for (int s = 0; s < n->flow.segments && unrolled > 1; s++)
            if (s == header || n->flow.segment[s].header == header)
                weigh(n, s, unrolled);
    }
}

/* ---- the table and the text ---- */

/* How far apart two entries of the table are; 0 if there is none, or too far. */
static int distance(int from, int to)
{
    const int bytes = (to - from) * (int)sizeof(struct umsim_segment);
    return to == UMCC_NONE || bytes != (int16_t)bytes ? 0 : bytes;
}

/* What tells how often a loop is come to. */
static int entry_of(const struct umcc_flow *flow, int header)
{
    const int entry = umcc_entry_of(flow, header);
    return entry == UMCC_NONE ? entry : flow->segment[entry].told_by;
}

static void add_to_table(struct notes *n)
{
    for (int s = 0; s < n->flow.segments; s++) {
        const struct umcc_segment *it = &n->flow.segment[s];
        umcc_text_printf(&n->table, "\t.short\t%d, %d", distance(s, it->header),
                         it->is_header ? distance(s, entry_of(&n->flow, s)) : 0);
        for (int c = 0; c < UMSIM_WORK_CLASSES; c++)
            umcc_text_printf(&n->table, ", %u", it->work[c] < 65535 ? it->work[c] : 65535);
        umcc_text_printf(&n->table, ", %u\n\t.zero\t%zu\n", it->unrolled,
                         sizeof((struct umsim_segment *)0)->unused);
    }
}

static void add_lines(struct notes *n, int first, int last)
{
    if (first <= last)
        umcc_text_add(n->out, n->text.line[first].text,
                      (size_t)(n->text.line[last].end - n->text.line[first].text));
}

/* @return the line of a segment that calls for an access before it calls anything else; UMCC_NONE */
static int first_access(const struct notes *n, const struct umcc_segment *segment)
{
    for (int i = segment->first; i <= segment->last; i++)
        if (n->text.line[i].instruction.does == UMCC_CALL)
            return umcc_called_access(&n->text.line[i]) ? i : UMCC_NONE;
    return UMCC_NONE;
}

/* Adds the lines up to the segment, or into it, and a note of it. @return the line that is next */
static int add_note(struct notes *n, int from, int s)
{
    const struct umcc_segment *segment = &n->flow.segment[s];
    const unsigned place = (n->before + (unsigned)s) * (unsigned)sizeof(struct umsim_segment);
    const int access = first_access(n, segment);
    if (access == UMCC_NONE) {
        add_lines(n, from, segment->first - 1);
        umcc_text_printf(n->out, n->machine->note, place);
        return segment->first;
    }
    const struct umcc_line *line = &n->text.line[access];
    const char *name = umcc_called_access(line);
    add_lines(n, from, access - 1);
    umcc_text_printf(n->out, "%.*sfirst_%.*s", (int)(name - line->text), line->text, (int)(line->end - name),
                     name);
    umcc_text_printf(n->out, n->machine->first, place);
    return access + 1;
}

static void note_function(struct notes *n, const struct umcc_function *function)
{
    find_segments(n, function);
    const bool is_known = n->flow.segments && link_segments(n, function);
    find_owners(&n->flow);
    if (is_known) {
        umcc_find_loops(&n->flow);
        leave_loops_over_threads(&n->flow);
    }
    weigh_all(n);
    if (is_known)
        umcc_find_tellers(&n->flow);
    add_to_table(n);
    int from = function->first;
    for (int s = 0; s < n->flow.segments; s++) {
        if (n->flow.segment[s].owner == UMCC_LOOP || n->flow.segment[s].told_by != s)
            continue;
        from = add_note(n, from, s);
    }
    add_lines(n, from, function->last - 1);
    n->before += (unsigned)n->flow.segments;
}

void umcc_note_segments(const struct umcc_machine *machine, const struct umcc_text *counting,
                        bool relocatable, struct umcc_text *out)
{
    struct notes *n = calloc(1, sizeof *n);
    if (!n)
        return;
    n->machine = machine;
    n->out = out;
    umcc_read_listing(&n->text, &n->arena, machine, counting, relocatable);
    n->flow.arena = &n->arena;
    n->flow.segment = umcc_alloc(&n->arena, ((size_t)n->text.lines + 1) * sizeof *n->flow.segment);
    int from = 0;
    for (int f = 0; f < n->text.functions; f++) {
        const struct umcc_function *function = &n->text.function[f];
        if (!function->is_reached || function->first < from)
            continue;
        add_lines(n, from, function->first - 1);
        note_function(n, function);
        from = function->last;
    }
    add_lines(n, from, n->text.lines - 1);
    if (n->before)
        umcc_text_printf(out, "%s\t.section\t.rodata\n\t.balign\t32\n.Lsegments:\n%s", machine->note_once,
                         n->table.data);
    umcc_text_free(&n->table);
    umcc_arena_free(&n->arena);
    free(n);
}
