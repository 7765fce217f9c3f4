/**
 * @file segments.c
 * @brief Implementation of segments.h: functions, their segments and loops, the notes and their table.
 *
 * Only functions that kernels can come to get notes. A note is a call that leaves registers and flags as they
 * are (sim/count/note.c). The table has a line for each segment (struct umsim_segment).
 *
 * Where a jump leads is not known (a computed one), the function counts as having no
 * loops.
 *
 * A kernel that was cut at its barriers loops over the threads of a block. What belongs to such a loop gets
 * no notes, and is no loop of the kernel's: from the mark that umsim::count_nothing() leaves to the calls
 * that tell of a thread, or of the block as a whole (umsim/fission.h).
 */
#include "segments.h"
#include "counted.h"
#include "loops.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING "# umsim.nothing"
/* Loops of up to so many instructions are unrolled by MOST, others by SOME. */
#define SMALL 14
#define MOST 16
#define SOME 4

struct line {
    const char *text, *end;
    struct umcc_instruction instruction;
    enum { OTHER_LINE, LABEL, INSTRUCTION, OPAQUE, NOTHING_FROM_HERE } kind;
};

struct function {
    struct umcc_operand name;
    int first, last; /* lines */
    bool is_reached;
    struct function *next; /* with a name of the same hash */
};

#define BUCKETS 1024

struct notes {
    const struct umcc_machine *machine;
    struct umcc_arena arena;
    struct line *line;
    int lines, functions;
    struct function *function, *bucket[BUCKETS];
    int *pending, pending_count;
    struct umcc_flow flow; /* of the function in hand */
    unsigned before;       /* segments of functions that are done */
    struct umcc_text table, *out;
};

/* ---- lines and functions ---- */

static bool is_label(const char *line, const char *end)
{
    const char *colon = memchr(line, ':', (size_t)(end - line));
    return colon && *line != '\t' && *line != ' ' && *line != '"' && *line != '#';
}

static void read_lines(struct notes *n, const struct umcc_text *text)
{
    int count = 0;
    bool is_opaque = false;
    for (const char *p = text->data; p && (p = strchr(p, '\n')); p++)
        count++;
    n->line = umcc_alloc(&n->arena, ((size_t)count + 1) * sizeof *n->line);
    for (const char *p = text->data, *end; p && *p; p = end) {
        end = strchr(p, '\n');
        end = end ? end + 1 : p + strlen(p);
        struct line *it = &n->line[n->lines++];
        *it = (struct line){.text = p, .end = end, .instruction.text = p, .kind = OTHER_LINE};
        if (strncmp(p, "#APP", 4) == 0)
            is_opaque = true;
        else if (strncmp(p, "#NO_APP", 7) == 0)
            is_opaque = false;
        else if (is_opaque)
            it->kind = memmem(p, (size_t)(end - p), NOTHING, strlen(NOTHING)) ? NOTHING_FROM_HERE : OPAQUE;
        else if (is_label(p, end))
            it->kind = LABEL;
        else if (n->machine->read(p, end, &it->instruction))
            it->kind = INSTRUCTION;
    }
}

static size_t hash_of(struct umcc_operand name)
{
    size_t hash = 5381;
    for (size_t i = 0; i < name.length; i++)
        hash = hash * 33 + (unsigned char)name.text[i];
    return hash % BUCKETS;
}

/* A name without what stands behind an @. */
static struct umcc_operand name_at(const char *text, size_t length)
{
    const char *at = memchr(text, '@', length);
    return (struct umcc_operand){text, at ? (size_t)(at - text) : length};
}

static struct function *find(struct notes *n, struct umcc_operand name)
{
    struct function *it = n->bucket[hash_of(name)];
    while (it && (it->name.length != name.length || memcmp(it->name.text, name.text, name.length) != 0))
        it = it->next;
    return it;
}

/* A function begins at the label that a line has made one of, and ends where its size is told. */
static void find_functions(struct notes *n)
{
    static const char type[] = "\t.type\t", size[] = "\t.size\t";
    struct umcc_operand name = {NULL, 0};
    n->function = umcc_alloc(&n->arena, ((size_t)n->lines / 4 + 1) * sizeof *n->function);
    for (int i = 0, first = UMCC_NONE; i < n->lines; i++) {
        const struct line *it = &n->line[i];
        const size_t rest = (size_t)(it->end - it->text);
        if (it->kind == OTHER_LINE && rest > sizeof type && memcmp(it->text, type, sizeof type - 1) == 0 &&
            memmem(it->text, rest, n->machine->function, strlen(n->machine->function))) {
            const char *from = it->text + sizeof type - 1;
            name = (struct umcc_operand){from, (size_t)((const char *)memchr(from, ',', rest) - from)};
        } else if (it->kind == LABEL && name.length && rest > name.length + 1 &&
                   it->text[name.length] == ':' && memcmp(it->text, name.text, name.length) == 0) {
            first = i;
        } else if (first != UMCC_NONE && it->kind == OTHER_LINE && rest > sizeof size &&
                   memcmp(it->text, size, sizeof size - 1) == 0) {
            struct function *made = &n->function[n->functions++], **bucket = &n->bucket[hash_of(name)];
            *made = (struct function){name, first, i, false, *bucket};
            *bucket = made;
            first = UMCC_NONE;
        }
    }
}

static void reach(struct notes *n, struct function *function)
{
    if (!function || function->is_reached)
        return;
    function->is_reached = true;
    n->pending[n->pending_count++] = (int)(function - n->function);
}

/* Finds what kernels can come to, by calls and by jumps. */
static void find_reached(struct notes *n, bool relocatable)
{
    n->pending = umcc_alloc(&n->arena, ((size_t)n->functions + 1) * sizeof *n->pending);
    for (int i = 0; i < n->functions; i++)
        if (relocatable || umcc_is_counting_run(n->function[i].name.text, n->function[i].name.length))
            reach(n, &n->function[i]);
    while (n->pending_count) {
        const struct function *function = &n->function[n->pending[--n->pending_count]];
        for (int i = function->first; i < function->last; i++) {
            const struct umcc_instruction *it = &n->line[i].instruction;
            if (n->line[i].kind == INSTRUCTION && it->operands == 1 && !umcc_is_step(it))
                reach(n, find(n, name_at(it->operand[0].text, it->operand[0].length)));
        }
    }
}

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
static enum umcc_share share_behind(const struct line *it)
{
    return it->kind == NOTHING_FROM_HERE                   ? UMCC_TO_LOOP
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
static void find_segments(struct notes *n, const struct function *function)
{
    bool begins = true;
    enum umcc_owner next = UMCC_KERNEL;
    n->flow.segments = 0;
    for (int i = function->first; i < function->last; i++) {
        const struct line *it = &n->line[i];
        if (it->kind == LABEL && next == UMCC_KERNEL && n->flow.segments) {
            begin_segment(&n->flow, i, next);
            next = UMCC_AS_BEFORE;
        }
        begins |= it->kind == LABEL;
        if (it->kind != INSTRUCTION && it->kind != NOTHING_FROM_HERE)
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
static int segment_at(const struct notes *n, const struct function *function, struct umcc_operand label)
{
    int s = 0;
    for (int i = function->first; i < function->last; i++) {
        const struct line *it = &n->line[i];
        while (s < n->flow.segments && n->flow.segment[s].first <= i)
            s++;
        if (it->kind == LABEL && (size_t)(it->end - it->text) > label.length &&
            it->text[label.length] == ':' && memcmp(it->text, label.text, label.length) == 0)
            return s < n->flow.segments ? s : UMCC_NONE;
    }
    return UMCC_NONE;
}

/* @return whether it is known where all jumps lead */
static bool link_segments(struct notes *n, const struct function *function)
{
    bool is_known = true;
    n->flow.is_left = false;
    for (int s = 0; s < n->flow.segments; s++) {
        struct umcc_segment *it = &n->flow.segment[s];
        const struct umcc_instruction *last = &n->line[it->last].instruction;
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
        const struct umcc_instruction *at = &n->line[i].instruction;
        if (n->line[i].kind == INSTRUCTION && at->operands == 1 && at->operand[0].length > sizeof handler &&
            memcmp(at->operand[0].text, handler, sizeof handler - 1) == 0)
            return true;
    }
    return n->line[it->last].instruction.stops;
}

/* @return whether a pass ends with one comparison, of what steps by a constant: how many passes there are can
 * be reckoned without a division */
static bool steps_evenly(const struct notes *n, int header)
{
    const struct umcc_segment *latch = &n->flow.segment[n->flow.segment[header].latch];
    struct umcc_instruction compared = {.operands = 0};
    for (int i = latch->last; i >= latch->first; i--) {
        const struct umcc_instruction *it = &n->line[i].instruction;
        if (n->line[i].kind != INSTRUCTION)
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
            if (n->line[i].kind == INSTRUCTION)
                umcc_weigh(&n->line[i].instruction, &values, place, it->work);
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
        umcc_text_add(n->out, n->line[first].text, (size_t)(n->line[last].end - n->line[first].text));
}

static void note_function(struct notes *n, const struct function *function)
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
        add_lines(n, from, n->flow.segment[s].first - 1);
        umcc_text_printf(n->out, n->machine->note,
                         (n->before + (unsigned)s) * (unsigned)sizeof(struct umsim_segment));
        from = n->flow.segment[s].first;
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
    read_lines(n, counting);
    find_functions(n);
    find_reached(n, relocatable);
    n->flow.arena = &n->arena;
    n->flow.segment = umcc_alloc(&n->arena, ((size_t)n->lines + 1) * sizeof *n->flow.segment);
    int from = 0;
    for (int f = 0; f < n->functions; f++) {
        const struct function *function = &n->function[f];
        if (!function->is_reached || function->first < from)
            continue;
        add_lines(n, from, function->first - 1);
        note_function(n, function);
        from = function->last;
    }
    add_lines(n, from, n->lines - 1);
    if (n->before)
        umcc_text_printf(out, "%s\t.section\t.rodata\n\t.balign\t32\n.Lsegments:\n%s", machine->note_once,
                         n->table.data);
    umcc_text_free(&n->table);
    umcc_arena_free(&n->arena);
    free(n);
}
