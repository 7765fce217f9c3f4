/**
 * @file machine.c
 * @brief Implementation of machine.h: what the processors' assembly has in common.
 */
#include "machine.h"
#include "umsim/abi.h"

#include <ctype.h>
#include <string.h>

const struct umcc_machine *umcc_this_machine(void)
{
#ifdef __aarch64__
    return &umcc_arm64;
#else
    return &umcc_x86_64;
#endif
}

bool umcc_split_instruction(const char *line, const char *end, char comment, const char brackets[2],
                            struct umcc_instruction *it)
{
    const int most = sizeof it->operand / sizeof it->operand[0];
    const char *p = line;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == line || p == end || !islower((unsigned char)*p))
        return false;
    *it = (struct umcc_instruction){.text = p, .end = end};
    while (p < end && (isalnum((unsigned char)*p) || *p == '.'))
        p++;
    it->word = (size_t)(p - it->text);
    int depth = 0;
    for (const char *from = NULL; p <= end; p++) {
        const bool is_end = p == end || *p == '\n' || *p == comment;
        if (!from && !is_end && *p != ' ' && *p != '\t')
            from = p;
        depth += !is_end && *p == brackets[0] ? 1 : !is_end && *p == brackets[1] ? -1 : 0;
        if (from && (is_end || (*p == ',' && !depth)) && it->operands < most) {
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

bool umcc_operand_begins(struct umcc_operand operand, const char *text)
{
    return operand.length >= strlen(text) && memcmp(operand.text, text, strlen(text)) == 0;
}

bool umcc_is_operand(struct umcc_operand operand, const char *text)
{
    return operand.length == strlen(text) && memcmp(operand.text, text, operand.length) == 0;
}

struct umcc_operand umcc_jump_target(const struct umcc_instruction *it)
{
    const bool is_jump = it->does == UMCC_JUMP && it->operands && *it->operand[it->operands - 1].text == '.';
    return is_jump ? it->operand[it->operands - 1] : (struct umcc_operand){it->text, 0};
}

void umcc_compare_source(const struct umcc_machine *machine, struct umcc_instruction *compared,
                         const struct umcc_instruction *move)
{
    for (int k = 0; k < compared->operands; k++)
        if (machine->name_of(compared->operand[k]) == machine->name_of(move->operand[1]))
            compared->operand[k] = move->operand[0];
}

bool umcc_is_even_step(const struct umcc_machine *machine, const struct umcc_instruction *it,
                       const struct umcc_instruction *compared)
{
    if (it->does != UMCC_WHOLE || it->class != UMSIM_WORK_ADD || (!it->has_constant && it->operands != 1))
        return false;
    const unsigned name = machine->name_of(it->operand[it->operands - 1]);
    for (int k = 0; k < compared->operands; k++)
        if (name && machine->name_of(compared->operand[k]) == name)
            return true;
    return !compared->operands;
}
