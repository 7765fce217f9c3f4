/**
 * @file values.c
 * @brief Implementation of segments.h: which value an instruction makes of which others, and when it is
 * there.
 */
#include "segments.h"

#include <ctype.h>
#include <string.h>

/* @return the value; one that is as it was at the segment's beginning if it is not there yet; NULL: unknown
 */
struct umcc_value *umcc_value_of(struct umcc_values *values, unsigned name)
{
    for (int i = 0; name && i < values->count; i++)
        if (values->value[i].name == name)
            return &values->value[i];
    if (!name || values->count == UMCC_VALUES)
        return NULL;
    struct umcc_value *it = &values->value[values->count++];
    *it = (struct umcc_value){.name = name, .from = name};
    return it;
}

void umcc_begin_again(struct umcc_values *values)
{
    for (int i = 0; i < values->count; i++) {
        struct umcc_value *it = &values->value[i];
        *it = (struct umcc_value){.name = it->name, .from = it->is_made ? it->name : 0};
    }
}

unsigned umcc_longest_way(const struct umcc_values *values)
{
    unsigned most = 0;
    for (int i = 0; i < values->count; i++)
        if (values->value[i].from == values->value[i].name && values->value[i].clocks > most)
            most = values->value[i].clocks;
    return most;
}

/* The operand that is there last, and with it what it needs. Of two that are there at once the one that is
 * replaced, so that a way from a value to the same is found. */
unsigned umcc_depth(const struct umcc_values *values)
{
    unsigned most = 0;
    for (int i = 0; i < values->count; i++)
        most = values->value[i].depth > most ? values->value[i].depth : most;
    return most;
}

static void take_later(struct umcc_value *result, const struct umcc_value *source, unsigned early,
                       bool is_replaced)
{
    const unsigned depth = source && source->depth > early ? source->depth - early : 0;
    result->depth = depth > result->depth ? depth : result->depth;
    if (!source || !source->from) /* what is the same in each pass is there */
        return;
    const unsigned clocks = source->clocks > early ? source->clocks - early : 0;
    if (!result->from || clocks > result->clocks || (clocks == result->clocks && is_replaced)) {
        result->clocks = clocks;
        result->from = source->from;
    }
}

/* The registers that an address is made of. */
static void take_address(struct umcc_values *values, struct umcc_value *result, struct umcc_operand operand)
{
    const char *end = operand.text + operand.length;
    for (const char *p = operand.text; p < end; p++) {
        const bool may_begin = p == operand.text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_');
        const size_t length = may_begin ? values->machine->register_at(p, end) : 0;
        if (!length)
            continue;
        const unsigned name = values->machine->name_of((struct umcc_operand){p, length});
        take_later(result, umcc_value_of(values, name), 0, false);
        p += length - 1;
    }
}

void umcc_make_value(struct umcc_values *values, const struct umcc_instruction *it, struct umcc_making how)
{
    struct umcc_value made = {0};
    if (!it->operands)
        return;
    const int last = it->operands - 1;
    for (int pass = 0; pass < 2; pass++) /* products last */
        for (int i = 0; i < it->operands - (it->replaces ? 1 : 0); i++) {
            const struct umcc_value *value = umcc_value_of(values, values->machine->name_of(it->operand[i]));
            const bool is_product = how.adds_product && value && value->is_product;
            if (is_product == (pass == 1) && value)
                take_later(&made, value, is_product ? how.clocks : 0, i == last && !is_product);
            else if (!pass && !value)
                take_address(values, &made, it->operand[i]);
        }
    struct umcc_value *result = umcc_value_of(values, values->machine->name_of(it->operand[last]));
    if (!result)
        return;
    made.name = result->name;
    made.is_made = true;
    made.clocks += made.from ? how.clocks : 0;
    made.depth += how.clocks;
    made.is_product = how.is_product;
    *result = made;
}

/* @return whether one of the operands is a product that nobody has added to yet */
bool umcc_adds_to_product(struct umcc_values *values, const struct umcc_instruction *it)
{
    for (int i = 0; i < it->operands - (it->replaces ? 1 : 0); i++) {
        struct umcc_value *value = umcc_value_of(values, values->machine->name_of(it->operand[i]));
        if (value && value->is_product)
            return true;
    }
    return false;
}
