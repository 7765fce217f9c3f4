/**
 * @file instructions.c
 * @brief Implementation of segments.h: reads instructions of x86-64's assembly, as g++ writes it.
 */
#include "segments.h"

#include <ctype.h>
#include <string.h>

bool umcc_read_instruction(const char *line, const char *end, struct umcc_instruction *it)
{
    const char *p = line;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == line || p == end || !islower((unsigned char)*p))
        return false;
    *it = (struct umcc_instruction){.text = p, .end = end};
    while (p < end && isalnum((unsigned char)*p))
        p++;
    it->word = (size_t)(p - it->text);
    int depth = 0;
    for (const char *from = NULL; p <= end; p++) {
        const bool is_end = p == end || *p == '\n' || *p == '#';
        if (!from && !is_end && *p != ' ' && *p != '\t')
            from = p;
        depth += !is_end && *p == '(' ? 1 : !is_end && *p == ')' ? -1 : 0;
        if (from && (is_end || (*p == ',' && !depth)) && it->operands < 4) {
            it->operand[it->operands++] = (struct umcc_operand){from, (size_t)(p - from)};
            from = NULL;
        }
        if (is_end)
            break;
    }
    return true;
}

bool umcc_is_word(const struct umcc_instruction *it, const char *word)
{
    return it->word == strlen(word) && memcmp(it->text, word, it->word) == 0;
}

bool umcc_word_begins(const struct umcc_instruction *it, const char *word)
{
    return it->word >= strlen(word) && memcmp(it->text, word, strlen(word)) == 0;
}

static bool is_one_of(const struct umcc_instruction *it, const char *const *words)
{
    while (*words && !umcc_is_word(it, *words))
        words++;
    return *words;
}

struct umcc_operand umcc_jump_target(const struct umcc_instruction *it)
{
    const bool is_jump = *it->text == 'j' && it->operands == 1 && it->operand[0].text[0] == '.';
    return is_jump ? it->operand[0] : (struct umcc_operand){it->text, 0};
}

bool umcc_never_goes_on(const struct umcc_instruction *it)
{
    static const char *const words[] = {"jmp", "ret", "ud2", "hlt", NULL};
    return is_one_of(it, words);
}
