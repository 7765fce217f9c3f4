/**
 * @file counted.c
 * @brief Implementation of counted.h: puts the counting form of a file's kernels beside their fast form.
 *
 * g++ compiles the file twice, to assembly: fast, and with a call before each access (-fsanitize=thread). The
 * second text is added to the first one under these rules. They keep one program out of two texts, whatever
 * the file has in it:
 *
 * - What a function of the second text calls or jumps to is the second text's own: such names get an ending,
 *   and no other library sees them. What neither text defines is called by its place in the table of
 * addresses, which is filled when the program starts: the simulated GPU can bind no symbol later. Under -rdc
 * the call goes to the name with the ending, as the file that defines the function may have that; a weak
 * definition here leads to the fast form where it does not.
 * - All else is the first text's: variables, constants and vtables that it defines are left out of the
 *   second, and where a function's address is taken, it is the first text's. So a pointer to a function is
 *   the same in both forms; what is called by one is not counted.
 * - Nothing of the second text runs before main(): its constructors are left out.
 * - The calls before accesses go to sim/count/hooks.c.
 * - umsim::counted_threads<...>::run() and umsim::counted_blocks<...>::run() are the second text's, for both.
 * What the second does not have is NULL.
 *
 * Where the second text has a device variable that the first one lacks (one whose name depends on a kernel's
 * form), or atomics of 16 bytes, the two cannot be one program: the file stays without the counting form.
 */
#include "counted.h"
#include "segments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".counted"
#define LOCAL ".Lcounted."

struct word {
    const char *text;
    size_t length;
};

enum kind { UNKNOWN, FUNCTION, DATA };

struct symbol {
    struct word name;
    enum kind kind;
    struct symbol *next;
};

#define BUCKETS 4096

struct symbols {
    struct umcc_arena arena;
    struct symbol *bucket[BUCKETS];
};

struct merge {
    const struct umcc_machine *machine;
    const char *line; /* that is gone over */
    struct symbols first, second;
    struct umcc_text *out, stubs;
    enum { TEXT, CONSTANTS, VARIABLES, CONSTRUCTORS } section;
    struct symbols elsewhere; /* functions of other files, which may have a counting form there */
    bool relocatable, in_pushed, was_popped, in_device_variables, dropping, refused;
};

/* ---- names ---- */

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || (c & 0x80) != 0;
}

static bool is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool begins(struct word word, const char *text)
{
    return word.length >= strlen(text) && memcmp(word.text, text, strlen(text)) == 0;
}

static struct symbol **bucket_of(struct symbols *symbols, struct word name)
{
    size_t hash = 5381;
    for (size_t i = 0; i < name.length; i++)
        hash = hash * 33 + (unsigned char)name.text[i];
    return &symbols->bucket[hash % BUCKETS];
}

static enum kind kind_of(struct symbols *symbols, struct word name)
{
    for (struct symbol *it = *bucket_of(symbols, name); it; it = it->next)
        if (it->name.length == name.length && memcmp(it->name.text, name.text, name.length) == 0)
            return it->kind;
    return UNKNOWN;
}

static void define(struct symbols *symbols, struct word name, enum kind kind)
{
    struct symbol **first = bucket_of(symbols, name), *it = umcc_alloc(&symbols->arena, sizeof *it);
    *it = (struct symbol){name, kind, *first};
    *first = it;
}

bool umcc_is_counting_run(const char *name, size_t length)
{
    const struct word word = {name, length};
    return begins(word, "_ZN5umsim15counted_threadsI") || begins(word, "_ZN5umsim14counted_blocksI");
}

/* ---- lines ---- */

/* @return the next name at or behind `p` in the line, empty at its end. Registers, strings and what stands
 * behind an @ are none. */
static struct word next_name(const struct merge *m, const char *p, const char *end)
{
    while (p < end && *p != m->machine->comment) {
        const char *begin = p;
        if (*p == '"') {
            for (p++; p < end && *p != '"'; p++)
                p += *p == '\\';
            p++;
        } else if (is_name_character(*p) && *p != '$') {
            while (p < end && is_name_character(*p))
                p++;
            const bool is_marked = begin > m->line && (begin[-1] == '%' || begin[-1] == '@');
            const bool other =
                isdigit((unsigned char)*begin) || is_marked || (p - begin == 1 && *begin == '.');
            if (!other && (!m->machine->is_symbol || m->machine->is_symbol(m->line, begin, end)))
                return (struct word){begin, (size_t)(p - begin)};
        } else {
            p++;
        }
    }
    return (struct word){end, 0};
}

/* @return the label that the line is; empty if it is none */
static struct word label_of(const char *line, const char *end)
{
    const char *p = line;
    while (p < end && is_name_character(*p))
        p++;
    return (struct word){
        line, p > line && p < end && *p == ':' && !isdigit((unsigned char)*line) ? (size_t)(p - line) : 0};
}

static bool is_any(struct word word, const char *const *list)
{
    while (*list && !is(word, *list))
        list++;
    return *list;
}

static void enter_section(struct merge *m, struct word name)
{
    static const char *const constants[] = {".rodata", ".data.rel.ro", ".gcc_except_table", ".eh_frame",
                                            NULL};
    static const char *const others[] = {".init_array", ".fini_array", ".ctors", ".dtors", NULL};
    m->section = begins(name, ".text") ? TEXT : VARIABLES;
    m->in_device_variables = begins(name, "um_");
    for (int i = 0; constants[i]; i++)
        m->section = begins(name, constants[i]) ? CONSTANTS : m->section;
    for (int i = 0; others[i]; i++)
        m->section = begins(name, others[i]) ? CONSTRUCTORS : m->section;
    if (begins(name, ".note") || begins(name, ".comment"))
        m->section = CONSTANTS;
}

/* Follows what a line says of sections. What is in one for the time between a push and a pop, a file writes
 * by itself (umsim/module.h). */
static void follow(struct merge *m, const char *line, const char *end)
{
    static const char *const sections[] = {".text", ".data", ".bss", NULL};
    const struct word word = next_name(m, line, end);
    if (is(word, ".pushsection"))
        m->in_pushed = true;
    else if (m->was_popped)
        m->in_pushed = m->was_popped = false;
    if (is(word, ".popsection"))
        m->was_popped = true; /* from the next line on */
    if (m->in_pushed || label_of(line, end).length)
        return;
    if (is(word, ".section"))
        enter_section(m, next_name(m, word.text + word.length, end));
    else if (is_any(word, sections))
        enter_section(m, word);
}

typedef void (*line_fn)(struct merge *m, struct symbols *symbols, const char *line, const char *end);

static void each_line(struct merge *m, struct symbols *symbols, const struct umcc_text *text, line_fn fn)
{
    m->section = TEXT;
    m->in_pushed = m->was_popped = m->dropping = false;
    for (const char *line = text->data, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        m->line = line;
        follow(m, line, end);
        fn(m, symbols, line, end);
    }
}

/* Collects what a text defines. */
static void collect(struct merge *m, struct symbols *symbols, const char *line, const char *end)
{
    static const char *const definitions[] = {".comm", ".lcomm", ".set", NULL};
    struct word name = label_of(line, end), word = next_name(m, line, end);
    if (m->in_pushed)
        return;
    const bool is_common = !name.length && is_any(word, definitions);
    if (is_common)
        name = next_name(m, word.text + word.length, end);
    if (!name.length || begins(name, ".L"))
        return;
    const bool is_data = is_common ? !is(word, ".set") : m->section != TEXT;
    define(symbols, name, is_data ? DATA : FUNCTION);
    /* what .comm defines is in no section, whichever it stands in */
    m->refused |= symbols == &m->second && m->section == VARIABLES && m->in_device_variables && !is_common &&
                  kind_of(&m->first, name) == UNKNOWN;
}

/* Collects what the second text defines, and refuses calls that sim/count/hooks.c does not have. Where even
 * these calls go by an address that something else takes (-mcmodel=large), so do those of device functions,
 * and which form they call cannot be seen. */
static void collect_second(struct merge *m, struct symbols *symbols, const char *line, const char *end)
{
    struct umcc_instruction instruction = {.does = UMCC_NOTHING};
    collect(m, symbols, line, end);
    for (struct word it = next_name(m, line, end); it.length; it = next_name(m, it.text + it.length, end)) {
        if (!begins(it, "__tsan_"))
            continue;
        m->refused |= begins(it, "__tsan_atomic128") || !m->machine->read(line, end, &instruction) ||
                      (instruction.does != UMCC_CALL && instruction.does != UMCC_JUMP);
    }
}

/* ---- the first text ---- */

static void add(struct merge *m, struct word word)
{
    umcc_text_add(m->out, word.text, word.length);
}

/* All as it is, but for the functions that the second text defines. */
static void emit_first(struct merge *m, struct symbols *symbols, const char *line, const char *end)
{
    const struct word first = next_name(m, line, end);
    const bool is_address = is(first, m->machine->pointer);
    const char *from = line;
    (void)symbols;
    for (struct word it = first; it.length; it = next_name(m, from, end)) {
        umcc_text_add(m->out, from, (size_t)(it.text - from));
        from = it.text + it.length;
        if (!umcc_is_counting_run(it.text, it.length))
            add(m, it);
        else if (!is_address)
            umcc_text_printf(m->out, "%.*s.absent", (int)it.length, it.text);
        else if (kind_of(&m->second, it) == FUNCTION)
            add(m, it);
        else
            umcc_text_add(m->out, "0", 1);
    }
    umcc_text_add(m->out, from, (size_t)(end - from));
}

/* ---- the second text ---- */

static void add_renamed(struct merge *m, struct word name, bool is_own)
{
    static const char *const copies[] = {"memcpy", "memmove", "memset", NULL};
    if (begins(name, ".L"))
        umcc_text_printf(m->out, LOCAL "%.*s", (int)name.length - 2, name.text + 2);
    else if (begins(name, "__tsan_"))
        umcc_text_printf(m->out, "umsim_hook_%.*s", (int)name.length - 7, name.text + 7);
    else if (is_any(name, copies))
        umcc_text_printf(m->out, "umsim_hook_%.*s", (int)name.length, name.text);
    else if (kind_of(&m->second, name) == FUNCTION && !umcc_is_counting_run(name.text, name.length) &&
             (is_own || kind_of(&m->first, name) == UNKNOWN))
        umcc_text_printf(m->out, "%.*s" ENDING, (int)name.length, name.text);
    else
        add(m, name);
}

static bool is_from_first(struct merge *m, struct word name)
{
    return kind_of(&m->second, name) == DATA && !begins(name, ".L") && kind_of(&m->first, name) != UNKNOWN;
}

/* @return whether the line belongs to a variable or constant that the first text has. */
static bool is_left_out(struct merge *m, struct word label, struct word word, const char *end)
{
    static const char *const of_symbols[] = {".globl",     ".global",   ".weak",  ".type",
                                             ".size",      ".hidden",   ".local", ".comm",
                                             ".protected", ".internal", NULL};
    static const char *const between[] = {".section", ".text",   ".data", ".bss",      ".align",
                                          ".p2align", ".balign", ".set",  ".previous", NULL};
    if (label.length)
        return m->dropping = m->section != TEXT && is_from_first(m, label);
    if (is_any(word, of_symbols)) {
        m->dropping = false;
        return is_from_first(m, next_name(m, word.text + word.length, end));
    }
    if (is_any(word, between))
        m->dropping = false;
    return m->dropping;
}

static void add_by_table(struct umcc_text *out, const char *format, struct word name)
{
    umcc_text_printf(out, format, (int)name.length, name.text);
}

/* A function of another file, by a name that this file gives a meaning if that one does not. */
static void add_elsewhere(struct merge *m, struct word name)
{
    if (kind_of(&m->elsewhere, name) == UNKNOWN) {
        define(&m->elsewhere, name, FUNCTION);
        umcc_text_printf(&m->stubs,
                         "\t.weak\t%.*s" ENDING "\n\t.hidden\t%.*s" ENDING "\n"
                         "%.*s" ENDING ":\n\t",
                         (int)name.length, name.text, (int)name.length, name.text, (int)name.length,
                         name.text);
        add_by_table(&m->stubs, m->machine->jump_by_table, name);
        umcc_text_add(&m->stubs, "\n", 1);
    }
    umcc_text_printf(m->out, "%.*s" ENDING, (int)name.length, name.text);
}

/* The instruction for a call or a jump to what neither text has. @return what stands behind it */
static const char *add_outside(struct merge *m, struct word transfer, struct word name)
{
    const char *behind = name.text + name.length;
    if (m->relocatable && !begins(name, "__tsan_")) {
        umcc_text_add(m->out, transfer.text, (size_t)(name.text - transfer.text));
        add_elsewhere(m, name);
    } else {
        struct umcc_text renamed = {0};
        struct umcc_text *out = m->out;
        m->out = &renamed;
        add_renamed(m, name, true);
        m->out = out;
        add_by_table(out,
                     is(transfer, m->machine->call) ? m->machine->call_by_table : m->machine->jump_by_table,
                     (struct word){renamed.data, renamed.length});
        umcc_text_free(&renamed);
    }
    return strncmp(behind, "@PLT", 4) == 0 ? behind + 4 : behind;
}

/* The linker knows the call for a thread's variable by its form, and no kernel makes it: it stays. */
static bool is_outside(struct merge *m, struct word name)
{
    return !is(name, "__tls_get_addr") && (name.text[-1] == '\t' || name.text[-1] == ' ') &&
           !begins(name, ".L") && kind_of(&m->second, name) == UNKNOWN && kind_of(&m->first, name) == UNKNOWN;
}

/* Functions of the second text are seen by no other library, where both would then be one. */
static void hide(struct merge *m, struct word directive, const char *end)
{
    const struct word name = next_name(m, directive.text + directive.length, end);
    if ((!is(directive, ".globl") && !is(directive, ".global") && !is(directive, ".weak")) ||
        kind_of(&m->second, name) != FUNCTION)
        return;
    umcc_text_printf(m->out, "\t.hidden\t");
    add_renamed(m, name, true);
    umcc_text_add(m->out, "\n", 1);
}

/* Whether the first word of an instruction stands before another instruction's. */
static bool is_prefix(struct word word)
{
    static const char *const prefixes[] = {"lock", "rep", "repz", "repnz", "repe", "repne", "notrack", NULL};
    return is_any(word, prefixes);
}

static bool is_transfer(const struct merge *m, struct word word)
{
    return is(word, m->machine->call) || is(word, m->machine->jump);
}

static void emit_second(struct merge *m, struct symbols *symbols, const char *line, const char *end)
{
    static const char *const data[] = {".quad", ".xword", ".8byte", ".long", ".word", ".4byte", NULL};
    static const char *const of_file[] = {".file", ".ident", NULL};
    const struct word label = label_of(line, end);
    struct word word = next_name(m, line, end);
    const char *from = line;
    (void)symbols;
    /* g++ names a constant that is another one, too, by a .set at the file's end, in whatever section that
     * is. */
    const bool is_constructors = m->section == CONSTRUCTORS && !is(word, ".set");
    if (m->in_pushed || is_constructors || is_any(word, of_file) || is_left_out(m, label, word, end))
        return;
    const bool is_directive = !label.length && begins(word, ".");
    struct umcc_instruction it = {.does = UMCC_NOTHING};
    if (!label.length && !is_directive)
        (void)m->machine->read(line, end, &it);
    const bool is_own =
        label.length || (is_directive ? !is_any(word, data) : it.does == UMCC_CALL || it.does == UMCC_JUMP);
    bool is_operand = label.length;
    if (is_directive)
        hide(m, word, end);
    for (; word.length; word = next_name(m, from, end)) {
        umcc_text_add(m->out, from, (size_t)(word.text - from));
        from = word.text + word.length;
        const struct word callee = next_name(m, from, end);
        if (!is_operand && is_transfer(m, word) && callee.length && is_outside(m, callee))
            from = add_outside(m, word, callee);
        else if (is_operand)
            add_renamed(m, word, is_own);
        else
            add(m, word);
        is_operand |= !is_prefix(word);
    }
    umcc_text_add(m->out, from, (size_t)(end - from));
}

bool umcc_add_counting(const struct umcc_machine *machine, const struct umcc_text *fast,
                       const struct umcc_text *counting, bool relocatable, struct umcc_text *out)
{
    struct merge *m = calloc(1, sizeof *m);
    struct umcc_text noted = {0};
    if (!m)
        return false;
    m->machine = machine;
    m->out = out;
    m->relocatable = relocatable;
    if (counting)
        umcc_note_segments(machine, counting, relocatable, &noted);
    each_line(m, &m->first, fast, collect);
    if (counting)
        each_line(m, &m->second, &noted, collect_second);
    const bool merged = !m->refused;
    if (merged) {
        each_line(m, NULL, fast, emit_first);
        if (counting)
            each_line(m, NULL, &noted, emit_second);
        if (m->stubs.length)
            umcc_text_printf(out, "\t.text\n%s", m->stubs.data);
    }
    umcc_text_free(&noted);
    umcc_text_free(&m->stubs);
    umcc_arena_free(&m->elsewhere.arena);
    umcc_arena_free(&m->first.arena);
    umcc_arena_free(&m->second.arena);
    free(m);
    return merged;
}
