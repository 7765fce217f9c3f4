/**
 * @file lockstep.c
 * @brief Supports old code for warps: `s[t] += s[t + 32]; s[t] += s[t + 16];` on a volatile array, without
 * __syncwarp().
 *
 * Such code relies on all lanes making each step at the same time. CUDA has not promised that since Volta,
 * but many programs still rely on it. In the simulator, threads run one after another. So an assignment to
 * an element of a volatile array, such as `s[i] += value;`, becomes `s[i] += ::umsim::lockstep(value),
 * ::umsim_yield();`: all lanes have read before the first one writes, and all have written before the first
 * one continues.
 *
 * Volatile arrays among a kernel's own parameters are left alone: they serve to communicate with the host
 * or with another block.
 */
#include "umcc.h"

#include <string.h>

#define NAMES_MAX 16

struct volatiles {
    int names[NAMES_MAX]; /* tokens */
    int count;
};

/* Finds the pointer or array that is declared behind the `volatile` at `i`. @return its token, or -1 */
static int volatile_name(const struct umcc_unit *unit, int i, int end, bool is_parameter)
{
    bool is_pointer = false;
    int name = -1;
    for (int j = i + 1; j < end; j++) {
        if (umcc_is(unit, j, "[") || umcc_is(unit, j, "=") || umcc_is(unit, j, ";") || umcc_is(unit, j, ","))
            return is_pointer || umcc_is(unit, j, "[") ? name : -1;
        if (umcc_is(unit, j, "(") || umcc_is(unit, j, ")"))
            return -1;
        if (umcc_is(unit, j, "<") && umcc_skip_angles(unit, j) > j)
            j = umcc_skip_angles(unit, j) - 1;
        is_pointer |= umcc_is(unit, j, "*");
        if (umcc_is_name(unit, j))
            name = j;
    }
    return is_parameter && is_pointer ? name : -1;
}

static void find_names(const struct umcc_unit *unit, int first, int last, bool are_parameters,
                       struct volatiles *found)
{
    for (int i = first; i < last && found->count < NAMES_MAX; i++) {
        const int name = umcc_is(unit, i, "volatile") ? volatile_name(unit, i, last, are_parameters) : -1;
        if (name >= 0)
            found->names[found->count++] = name;
    }
}

static bool is_volatile(const struct umcc_unit *unit, int i, const struct volatiles *found)
{
    const struct umcc_token *token = &unit->tokens[i];
    for (int n = 0; n < found->count; n++) {
        const struct umcc_token *name = &unit->tokens[found->names[n]];
        if (found->names[n] < i && name->length == token->length &&
            memcmp(name->text, token->text, name->length) == 0)
            return true;
    }
    return false;
}

/* Finds the `=`, `+=` or similar operator of the statement that begins with the array's name at `i`. @return
 * its token, or -1 */
static int assignment_of(const struct umcc_unit *unit, int i)
{
    static const char *const starts[] = {";", "{", "}", ")", ":", "else", "do", NULL};
    static const char *const assigns[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
    if (!umcc_is_any(unit, i - 1, starts) || !umcc_is(unit, i + 1, "["))
        return -1;
    int j = i + 1;
    while (umcc_is(unit, j, "["))
        j = unit->tokens[j].match + 1;
    return umcc_is_any(unit, j, assigns) && !umcc_is(unit, j + 1, "{") ? j : -1;
}

/* Divides the assignment whose operator is at `assign`. @return whether it is a statement of its own */
static bool cut(struct umcc_unit *unit, int assign)
{
    int value_end = -1, j = assign + 1;
    for (; !umcc_is(unit, j, ";"); j++) {
        if (j >= unit->count || (unit->tokens[j].match >= 0 && unit->tokens[j].match < j))
            return false;
        if (unit->tokens[j].match > j)
            j = unit->tokens[j].match;
        else if (umcc_is(unit, j, ",") && value_end < 0)
            value_end = j;
    }
    umcc_insert_after(unit, assign, " ::umsim::lockstep(");
    umcc_insert_before(unit, value_end < 0 ? j : value_end, ")");
    umcc_insert_before(unit, j, ", ::umsim_yield()");
    return true;
}

bool umcc_keep_lockstep(struct umcc_unit *unit, const struct umcc_decl *function)
{
    struct volatiles found = {.count = 0};
    bool any = false;
    if ((function->marks & UMCC_GLOBAL) == 0)
        find_names(unit, function->open + 1, function->close, true, &found);
    find_names(unit, function->body + 1, function->body_end, false, &found);
    for (int i = function->body + 1; found.count > 0 && i < function->body_end; i++) {
        const int assign = is_volatile(unit, i, &found) ? assignment_of(unit, i) : -1;
        if (assign >= 0)
            any |= cut(unit, assign);
    }
    return any;
}
