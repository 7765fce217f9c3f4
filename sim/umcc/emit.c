/**
 * @file emit.c
 * @brief Writes a unit with all its changes, so that g++'s messages name the user's lines and columns.
 *
 * Text that umcc inserted stands between two line markers. The first says that the text belongs to a system
 * header, so that g++ does not warn about it. The second leads back to the user's line, and blanks after it
 * lead to the user's column. A token that was moved is marked in the same way.
 */
#include "umcc.h"

#include <string.h>

static void lead_to(struct umcc_text *out, const struct umcc_token *token, int column, bool system)
{
    umcc_text_printf(out, "\n# %d \"%s\"%s\n%*s", token->line, token->file,
                     system || token->system ? " 3" : "", column, "");
}

static void insert(struct umcc_text *out, const struct umcc_token *token, const char *text, int column)
{
    lead_to(out, token, 0, true);
    umcc_text_printf(out, "%s", text);
    lead_to(out, token, column, false);
}

/* `#pragma GCC unroll` and the like are of the statement that follows: what is inserted comes before them.
 * @return the first in the space before the token; NULL: none */
static const char *pragma_of_statement(const struct umcc_token *token)
{
    static const char *const words[] = {"#pragma GCC unroll", "#pragma GCC ivdep"};
    const char *end = token->space + token->space_length;
    for (const char *p = token->space; (p = memchr(p, '#', (size_t)(end - p))); p++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if ((size_t)(end - p) > strlen(words[i]) && memcmp(p, words[i], strlen(words[i])) == 0)
                return p;
    return NULL;
}

static void insert_before_pragma(struct umcc_text *out, const struct umcc_token *token, const char *pragma)
{
    const size_t before = (size_t)(pragma - token->space);
    umcc_text_add(out, token->space, before);
    lead_to(out, token, 0, true);
    umcc_text_printf(out, "%s\n", token->before);
    umcc_text_add(out, pragma, token->space_length - before);
    lead_to(out, token, token->column, false);
}

/* The space before a moved token no longer means anything, unless it contains a pragma. */
static void emit_space(struct umcc_text *out, const struct umcc_token *token)
{
    if (!token->moved || memchr(token->space, '#', token->space_length))
        umcc_text_add(out, token->space, token->space_length);
    if (token->moved && !token->before)
        lead_to(out, token, token->column, false);
}

void umcc_emit(const struct umcc_unit *unit, struct umcc_text *out)
{
    for (int i = unit->head; i >= 0; i = unit->tokens[i].next) {
        const struct umcc_token *token = &unit->tokens[i];
        const int end = token->column + (int)token->length;
        const char *pragma = token->before ? pragma_of_statement(token) : NULL;
        if (pragma)
            insert_before_pragma(out, token, pragma);
        else
            emit_space(out, token);
        if (token->before && !pragma)
            insert(out, token, token->before, token->column);
        if (token->instead) {
            umcc_text_printf(out, "%s", token->instead);
            lead_to(out, token, end, false);
        } else if (token->dropped) {
            umcc_text_printf(out, "%*s", (int)token->length, "");
        } else {
            umcc_text_add(out, token->text, token->length);
        }
        if (token->after)
            insert(out, token, token->after, end);
    }
}
