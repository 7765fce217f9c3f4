/**
 * @file lockstep.c
 * @brief Supports old code for warps: `s[t] += s[t + 32]; s[t] += s[t + 16];` on a volatile array, without
 * __syncwarp().
 *
 * Such code relies on all lanes making each step at the same time. CUDA has not promised that since Volta,
 * but many programs still rely on it. In the simulator, threads run one after another. So an assignment to
 * an element of a volatile array, such as `s[i] += value;`, becomes `s[i] += ::umsim::lockstep(value),
 * ::umsim_yield();`: all lanes have read before the first one writes, and all have written before the first
 * one continues. The first of several such statements begins with a yield as well: many programs have no
 * barrier between their last step in shared memory and the first warp's own steps. On a GPU the other warps
 * have mostly written by then, so they get their turn here (umcc --check=race tells of it).
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

/* Divides the assignment that begins at `first` and whose operator is at `assign`.
 * @param goes_on the statement before it was divided, too
 * @return its `;`, or -1 when it is no statement of its own */
static int cut(struct umcc_unit *unit, int first, int assign, bool goes_on)
{
    int value_end = -1, j = assign + 1;
    for (; !umcc_is(unit, j, ";"); j++) {
        if (j >= unit->count || (unit->tokens[j].match >= 0 && unit->tokens[j].match < j))
            return -1;
        if (unit->tokens[j].match > j)
            j = unit->tokens[j].match;
        else if (umcc_is(unit, j, ",") && value_end < 0)
            value_end = j;
    }
    if (!goes_on)
        umcc_insert_before(unit, first, "::umsim_yield(), ");
    umcc_insert_after(unit, assign, " ::umsim::lockstep(");
    umcc_insert_before(unit, value_end < 0 ? j : value_end, ")");
    umcc_insert_before(unit, j, ", ::umsim_yield()");
    return j;
}

bool umcc_keep_lockstep(struct umcc_unit *unit, const struct umcc_decl *function)
{
    struct volatiles found = {.count = 0};
    int end = -1; /* of the statement that was divided last */
    if ((function->marks & UMCC_GLOBAL) == 0)
        find_names(unit, function->open + 1, function->close, true, &found);
    find_names(unit, function->body + 1, function->body_end, false, &found);
    for (int i = function->body + 1; found.count > 0 && i < function->body_end; i++) {
        const int assign = is_volatile(unit, i, &found) ? assignment_of(unit, i) : -1;
        const int cut_at = assign >= 0 ? cut(unit, i, assign, end == i - 1) : -1;
        end = cut_at >= 0 ? cut_at : end;
    }
    return end >= 0;
}
