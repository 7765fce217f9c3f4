/**
 * @file ptx_operands.c
 * @brief Turns the operands of PTX instructions into C++: registers, numbers, addresses, and types.
 */
#include "ptx.h"

#include <ctype.h>
#include <string.h>

const struct umcc_ptx_type umcc_ptx_types[UMCC_PTX_TYPES] = {
    {"s8", "int8_t", 1},  {"s16", "int16_t", 2},  {"s32", "int", 4},      {"s64", "long long", 8},
    {"u8", "uint8_t", 1}, {"u16", "uint16_t", 2}, {"u32", "unsigned", 4}, {"u64", "unsigned long long", 8},
    {"b8", "uint8_t", 1}, {"b16", "uint16_t", 2}, {"b32", "unsigned", 4}, {"b64", "unsigned long long", 8},
    {"f32", "float", 4},  {"f64", "double", 8},   {"pred", "bool", 1},
};

int umcc_ptx_type_of(const char *word)
{
    for (int t = 0; t < UMCC_PTX_TYPES; t++)
        if (strcmp(umcc_ptx_types[t].ptx, word) == 0)
            return t;
    return -1;
}

const char *umcc_ptx_cpp_type(const struct umcc_ptx_instruction *in, int back)
{
    for (int w = in->count - 1; w > 0; w--)
        if (umcc_ptx_type_of(in->words[w]) >= 0 && back-- == 0)
            return umcc_ptx_types[umcc_ptx_type_of(in->words[w])].cpp;
    return NULL;
}

char *umcc_ptx_trimmed(struct umcc_arena *arena, const char *first, const char *last)
{
    while (first < last && isspace((unsigned char)*first))
        first++;
    while (last > first && isspace((unsigned char)last[-1]))
        last--;
    return umcc_format(arena, "%.*s", (int)(last - first), first);
}

int umcc_ptx_cut(struct umcc_arena *arena, const char *text, char mark, const char **parts, int most)
{
    int count = 0, depth = 0;
    const char *start = text;
    for (const char *c = text;; c++) {
        depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
        if (*c != '\0' && !(*c == mark && depth == 0))
            continue;
        if (count == most)
            return -1;
        parts[count++] = umcc_ptx_trimmed(arena, start, c);
        start = c + 1;
        if (*c == '\0')
            return count;
    }
}

/* Reads a number of PTX's: 12, 0x12U, 0f3F800000, 1.5. @return C++ for it, or NULL */
static const char *number(struct umcc_arena *arena, const char *text)
{
    const bool minus = *text == '-';
    const char *digits = text + minus;
    if (!isdigit((unsigned char)*digits))
        return NULL;
    if (digits[0] == '0' && strchr("fFdD", digits[1]) && digits[1] != '\0' && strlen(digits) > 9)
        return umcc_format(arena, UMCC_PTX "copy_bits<%s>(0x%sull)",
                           tolower((unsigned char)digits[1]) == 'f' ? "float" : "double", digits + 2);
    if (strchr(digits, '.') || (strpbrk(digits, "eE") && digits[1] != 'x'))
        return umcc_format(arena, "(%s)", text);
    size_t length = strlen(digits);
    if (digits[length - 1] == 'U')
        length--;
    return umcc_format(arena, "(%s%.*sll)", minus ? "-" : "", (int)length, digits);
}

const char *umcc_ptx_value(struct umcc_ptx *ptx, const char *text)
{
    const char *literal = number(ptx->arena, text);
    if (literal)
        return literal;
    if (strcmp(text, "WARP_SZ") == 0)
        return "32";
    const bool operand = text[0] == '%' && isdigit((unsigned char)text[1]);
    if (operand) {
        int n = 0;
        for (text++; isdigit((unsigned char)*text) && n < 100; text++)
            n = 10 * n + *text - '0';
        return *text != '\0' || n >= ptx->operands ? NULL : umcc_format(ptx->arena, "um_%d", n);
    }
    text += strspn(text, "%");
    const char *special = umcc_ptx_register(text, strlen(text));
    ptx->needs_thread_index |= special != NULL;
    if (special)
        return special;
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '$')
            return NULL;
    return *text == '\0' ? NULL : umcc_format(ptx->arena, "um_r_%s", text);
}

const char *umcc_ptx_typed(struct umcc_ptx *ptx, const char *text, const char *type)
{
    const bool not = *text == '!';
    const char *v = umcc_ptx_value(ptx, text + not );
    return !v ? NULL : umcc_format(ptx->arena, "%s" UMCC_PTX "as<%s>(%s)", not ? "!" : "", type, v);
}

const char *umcc_ptx_address(struct umcc_ptx *ptx, const char *text)
{
    const size_t length = strlen(text);
    if (length < 3 || text[0] != '[' || text[length - 1] != ']')
        return NULL;
    const char *parts[2], *inside = umcc_ptx_trimmed(ptx->arena, text + 1, text + length - 1);
    const int count = umcc_ptx_cut(ptx->arena, inside, '+', parts, 2);
    const char *base = count < 1 ? NULL : umcc_ptx_value(ptx, parts[0]);
    const char *offset = count == 2 ? number(ptx->arena, parts[1]) : "0";
    if (!base || !offset)
        return NULL;
    return umcc_format(ptx->arena, "(" UMCC_PTX "address(%s) + %s)", base, offset);
}
