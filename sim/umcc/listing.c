/**
 * @file listing.c
 * @brief Implementation of listing.h.
 */
#include "listing.h"
#include "counted.h"
#include "loops.h"

#include <string.h>

#define NOTHING "# umsim.nothing"

/* ---- lines ---- */

static bool is_label(const char *line, const char *end)
{
    const char *colon = memchr(line, ':', (size_t)(end - line));
    return colon && *line != '\t' && *line != ' ' && *line != '"' && *line != '#';
}

static void read_lines(struct umcc_listing *n, struct umcc_arena *arena, const struct umcc_text *text)
{
    int count = 0;
    bool is_opaque = false;
    for (const char *p = text->data; p && (p = strchr(p, '\n')); p++)
        count++;
    n->line = umcc_alloc(arena, ((size_t)count + 1) * sizeof *n->line);
    for (const char *p = text->data, *end; p && *p; p = end) {
        end = strchr(p, '\n');
        end = end ? end + 1 : p + strlen(p);
        struct umcc_line *it = &n->line[n->lines++];
        *it = (struct umcc_line){.text = p, .end = end, .instruction.text = p, .kind = UMCC_OTHER_LINE};
        if (strncmp(p, "#APP", 4) == 0)
            is_opaque = true;
        else if (strncmp(p, "#NO_APP", 7) == 0)
            is_opaque = false;
        else if (is_opaque)
            it->kind =
                memmem(p, (size_t)(end - p), NOTHING, strlen(NOTHING)) ? UMCC_NOTHING_FROM_HERE : UMCC_OPAQUE;
        else if (is_label(p, end))
            it->kind = UMCC_LABEL;
        else if (n->machine->read(p, end, &it->instruction))
            it->kind = UMCC_INSTRUCTION;
    }
}

struct umcc_operand umcc_name_of(struct umcc_operand operand)
{
    const char *at = memchr(operand.text, '@', operand.length);
    return (struct umcc_operand){operand.text, at ? (size_t)(at - operand.text) : operand.length};
}

const char *umcc_called_access(const struct umcc_line *line)
{
    static const char prefix[] = "__tsan_";
    static const char *const accesses[] = {"read1",  "read2",  "read4",  "read8",  "read16",
                                           "write1", "write2", "write4", "write8", "write16"};
    const struct umcc_instruction *it = &line->instruction;
    if (line->kind != UMCC_INSTRUCTION || it->does != UMCC_CALL || it->operands != 1 ||
        !umcc_operand_begins(it->operand[0], prefix))
        return NULL;
    struct umcc_operand access = umcc_name_of(it->operand[0]);
    access.text += sizeof prefix - 1;
    access.length -= sizeof prefix - 1;
    for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++)
        if (umcc_is_operand(access, accesses[i]))
            return access.text;
    return NULL;
}

/* ---- functions ---- */

static size_t hash_of(struct umcc_operand name)
{
    size_t hash = 5381;
    for (size_t i = 0; i < name.length; i++)
        hash = hash * 33 + (unsigned char)name.text[i];
    return hash % UMCC_LISTING_BUCKETS;
}

static struct umcc_function *find(struct umcc_listing *n, struct umcc_operand name)
{
    struct umcc_function *it = n->bucket[hash_of(name)];
    while (it && (it->name.length != name.length || memcmp(it->name.text, name.text, name.length) != 0))
        it = it->next;
    return it;
}

/* A function begins at the label that a line has made one of, and ends where its size is told. */
static void find_functions(struct umcc_listing *n, struct umcc_arena *arena)
{
    static const char type[] = "\t.type\t", size[] = "\t.size\t";
    struct umcc_operand name = {NULL, 0};
    n->function = umcc_alloc(arena, ((size_t)n->lines / 4 + 1) * sizeof *n->function);
    for (int i = 0, first = UMCC_NONE; i < n->lines; i++) {
        const struct umcc_line *it = &n->line[i];
        const size_t rest = (size_t)(it->end - it->text);
        if (it->kind == UMCC_OTHER_LINE && rest > sizeof type &&
            memcmp(it->text, type, sizeof type - 1) == 0 &&
            memmem(it->text, rest, n->machine->function, strlen(n->machine->function))) {
            const char *from = it->text + sizeof type - 1;
            name = (struct umcc_operand){from, (size_t)((const char *)memchr(from, ',', rest) - from)};
        } else if (it->kind == UMCC_LABEL && name.length && rest > name.length + 1 &&
                   it->text[name.length] == ':' && memcmp(it->text, name.text, name.length) == 0) {
            first = i;
        } else if (first != UMCC_NONE && it->kind == UMCC_OTHER_LINE && rest > sizeof size &&
                   memcmp(it->text, size, sizeof size - 1) == 0) {
            struct umcc_function *made = &n->function[n->functions++], **bucket = &n->bucket[hash_of(name)];
            *made = (struct umcc_function){name, first, i, false, *bucket};
            *bucket = made;
            first = UMCC_NONE;
        }
    }
}

struct pending {
    struct umcc_listing *of;
    int *function, count;
};

static void reach(struct pending *pending, struct umcc_function *function)
{
    if (!function || function->is_reached)
        return;
    function->is_reached = true;
    pending->function[pending->count++] = (int)(function - pending->of->function);
}

/* Finds what kernels can come to, by calls and by jumps. */
static void find_reached(struct umcc_listing *n, struct umcc_arena *arena, bool relocatable)
{
    struct pending pending = {n, umcc_alloc(arena, ((size_t)n->functions + 1) * sizeof(int)), 0};
    for (int i = 0; i < n->functions; i++)
        if (relocatable || umcc_is_counting_run(n->function[i].name.text, n->function[i].name.length))
            reach(&pending, &n->function[i]);
    while (pending.count) {
        const struct umcc_function *function = &n->function[pending.function[--pending.count]];
        for (int i = function->first; i < function->last; i++) {
            const struct umcc_instruction *it = &n->line[i].instruction;
            if (n->line[i].kind == UMCC_INSTRUCTION && it->operands == 1 && !umcc_is_step(it))
                reach(&pending, find(n, umcc_name_of(it->operand[0])));
        }
    }
}

void umcc_read_listing(struct umcc_listing *listing, struct umcc_arena *arena,
                       const struct umcc_machine *machine, const struct umcc_text *text, bool relocatable)
{
    listing->machine = machine;
    read_lines(listing, arena, text);
    find_functions(listing, arena);
    find_reached(listing, arena, relocatable);
}
