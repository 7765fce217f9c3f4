/**
 * @file machine_x86_64.c
 * @brief Implementation of machine.h for x86-64, in AT&T's way of writing.
 */
#include "machine.h"
#include "umsim/abi.h"

#include <ctype.h>
#include <string.h>

#define ADD UMSIM_WORK_ADD
#define LOGIC UMSIM_WORK_LOGIC
#define MULTIPLY UMSIM_WORK_MULTIPLY

/* ---- registers, and places on the stack ---- */

static bool is_stack(struct umcc_operand operand)
{
    return operand.length > 5 && memcmp(operand.text + operand.length - 6, "(%rsp)", 6) == 0;
}

static unsigned register_name(struct umcc_operand operand)
{
    static const char letters[] = "abcd";
    const char *p = operand.text + 1;
    const size_t length = operand.length - 1;
    if (length >= 4 && memcmp(p + 1, "mm", 2) == 0) /* xmm, ymm */
        return 100 + (unsigned)(p[3] - '0') * (length > 4 ? 10 : 1) +
               (length > 4 ? (unsigned)(p[4] - '0') : 0);
    if (*p == 'r' && isdigit((unsigned char)p[1]))
        return 200 + (unsigned)(p[1] - '0') * 10 +
               (length > 2 && isdigit((unsigned char)p[2]) ? (unsigned)(p[2] - '0') : 9);
    p += length > 2; /* r or e */
    const char *letter = strchr(letters, *p);
    if (letter && p[1] != 'p' && p[1] != 'i')
        return 1 + (unsigned)(letter - letters);
    return 10 + (unsigned char)p[0] % 8 * 2 + (p[1] == 'p'); /* si, di, bp, sp */
}

static unsigned name_of(struct umcc_operand operand)
{
    unsigned hash = 5381;
    if (!operand.length)
        return 0;
    if (*operand.text == '%')
        return register_name(operand);
    if (!is_stack(operand))
        return 0;
    for (size_t i = 0; i < operand.length; i++)
        hash = hash * 33 + (unsigned char)operand.text[i];
    return hash | UMCC_ON_STACK;
}

static size_t register_at(const char *p, const char *end)
{
    const char *begin = p;
    if (*p != '%')
        return 0;
    for (p++; p < end && isalnum((unsigned char)*p);)
        p++;
    return (size_t)(p - begin);
}

static unsigned named(const char *name)
{
    return register_name((struct umcc_operand){name, strlen(name)});
}

/* ---- what instructions do ---- */

static const struct {
    const char *name;
    enum umcc_operation operation;
    bool replaces;
} operations[] = {{"divss", UMCC_DIVIDE_SINGLE, false},      {"divsd", UMCC_DIVIDE_DOUBLE, false},
                  {"sqrtss", UMCC_ROOT_SINGLE, true},        {"sqrtsd", UMCC_ROOT_DOUBLE, true},
                  {"minss", UMCC_LESSER_SINGLE, false},      {"maxss", UMCC_LESSER_SINGLE, false},
                  {"minsd", UMCC_LESSER_DOUBLE, false},      {"maxsd", UMCC_LESSER_DOUBLE, false},
                  {"comiss", UMCC_COMPARE_SINGLE, false},    {"ucomiss", UMCC_COMPARE_SINGLE, false},
                  {"comisd", UMCC_COMPARE_DOUBLE, false},    {"ucomisd", UMCC_COMPARE_DOUBLE, false},
                  {"cvtsi2ssl", UMCC_SINGLE_FROM_INT, true}, {"cvtsi2ss", UMCC_SINGLE_FROM_INT, true},
                  {"cvtsi2ssq", UMCC_CONVERT, true},         {"cvtsi2sdl", UMCC_CONVERT, true},
                  {"cvtsi2sd", UMCC_CONVERT, true},          {"cvtsi2sdq", UMCC_CONVERT, true},
                  {"cvttss2sil", UMCC_CONVERT, true},        {"cvttss2siq", UMCC_CONVERT, true},
                  {"cvttsd2sil", UMCC_CONVERT, true},        {"cvttsd2siq", UMCC_CONVERT, true},
                  {"cvtss2sd", UMCC_CONVERT, true},          {"cvtsd2ss", UMCC_CONVERT, true},
                  {"idivl", UMCC_DIVIDE_INT, false},         {"divl", UMCC_DIVIDE_UNSIGNED, false},
                  {"idivq", UMCC_DIVIDE_LONG, false},        {"divq", UMCC_DIVIDE_UNSIGNED_LONG, false},
                  {"bsfl", UMCC_BITS_OF_INT, true},          {"bsrl", UMCC_BITS_OF_INT, true},
                  {"bsfq", UMCC_BITS_OF_LONG, true},         {"bsrq", UMCC_BITS_OF_LONG, true},
                  {"popcntl", UMCC_BITS_OF_INT, true},       {"popcntq", UMCC_BITS_OF_LONG, true}};

static bool read_operation(struct umcc_instruction *it)
{
    size_t i = 0;
    while (i < sizeof operations / sizeof operations[0] && !umcc_is_word(it, operations[i].name))
        i++;
    if (i == sizeof operations / sizeof operations[0])
        return false;
    it->does = UMCC_OPERATION;
    it->operation = operations[i].operation;
    it->replaces = operations[i].replaces;
    if (it->operands == 1 && (umcc_word_begins(it, "div") || umcc_word_begins(it, "idiv"))) {
        it->result[0] = named("%eax");
        it->result[1] = named("%edx");
    }
    return true;
}

static bool read_transfer(struct umcc_instruction *it)
{
    static const char *const ends[] = {"jmp", "ret", "ud2", "hlt"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        it->never_goes_on |= umcc_is_word(it, ends[i]);
    it->stops = umcc_is_word(it, "ud2");
    it->does = umcc_word_begins(it, "call") ? UMCC_CALL : *it->text == 'j' ? UMCC_JUMP : UMCC_NOTHING;
    it->is_computed = it->does == UMCC_JUMP && it->operands && *it->operand[0].text == '*';
    if (it->does == UMCC_CALL)
        it->result[0] = named("%xmm0");
    return it->does != UMCC_NOTHING || it->never_goes_on;
}

static bool read_move(struct umcc_instruction *it)
{
    static const char *const words[] = {"mov", "cvt", "unpck", "shuf"};
    bool is_move = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        is_move |= umcc_word_begins(it, words[i]);
    const bool is_set = umcc_word_begins(it, "set");
    it->does = is_set || umcc_word_begins(it, "cmov") ? UMCC_CHOICE : is_move ? UMCC_MOVE : UMCC_NOTHING;
    it->replaces = is_move || is_set;
    return it->does != UMCC_NOTHING;
}

/* Sums and products of floating-point numbers: add, sub, mul, and what of: ss, sd, ps, pd. */
static bool read_sum(struct umcc_instruction *it)
{
    const bool is_mul = umcc_word_begins(it, "mul"),
               is_add = umcc_word_begins(it, "add") || umcc_word_begins(it, "sub");
    const char *type = it->text + 3;
    if (it->word != 5 || (type[0] != 's' && type[0] != 'p') || (type[1] != 's' && type[1] != 'd') ||
        (!is_mul && !is_add))
        return false;
    it->does = is_mul ? UMCC_PRODUCT : UMCC_SUM;
    it->is_wide = type[1] == 'd';
    return true;
}

static bool read_address(struct umcc_instruction *it)
{
    if (!umcc_word_begins(it, "lea") || it->operands != 2)
        return false;
    it->does = UMCC_ADDRESS;
    it->is_wide = it->text[3] == 'q';
    it->is_distance = it->is_wide && !memchr(it->operand[0].text, ',', it->operand[0].length);
    it->is_known = is_stack(it->operand[0]);
    it->replaces = true;
    return true;
}

/* Whole numbers: the mnemonic without the letter of its width. */
static const struct {
    const char *name;
    uint8_t class;
} whole[] = {{"add", ADD},    {"sub", ADD},   {"adc", ADD},       {"sbb", ADD},      {"inc", ADD},
             {"dec", ADD},    {"neg", ADD},   {"imul", MULTIPLY}, {"mul", MULTIPLY}, {"and", LOGIC},
             {"or", LOGIC},   {"xor", LOGIC}, {"not", LOGIC},     {"sal", LOGIC},    {"shl", LOGIC},
             {"sar", LOGIC},  {"shr", LOGIC}, {"rol", LOGIC},     {"ror", LOGIC},    {"shld", LOGIC},
             {"shrd", LOGIC}, {"cmp", LOGIC}, {"test", LOGIC},    {"bt", LOGIC},     {"bswap", LOGIC}};

static int whole_of(const struct umcc_instruction *it, bool *is_wide)
{
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        const size_t length = strlen(whole[i].name);
        if (it->word < length || memcmp(it->text, whole[i].name, length) != 0 || it->word > length + 1)
            continue;
        const char width = it->word > length ? it->text[length] : 'l';
        if (!strchr("bwlq", width))
            continue;
        *is_wide = width == 'q';
        return (int)i;
    }
    return -1;
}

/* Numbers of 64 bits take two, but a shift by a constant is part of an address. */
static unsigned parts_of(const struct umcc_instruction *it)
{
    if (!it->is_wide)
        return 1;
    if (it->class == MULTIPLY)
        return 4;
    return it->has_constant && (umcc_word_begins(it, "sal") || umcc_word_begins(it, "shl")) ? 0 : 2;
}

static bool is_same_twice(const struct umcc_instruction *it)
{
    return it->operands == 2 && it->operand[0].length == it->operand[1].length &&
           memcmp(it->operand[0].text, it->operand[1].text, it->operand[0].length) == 0;
}

static bool read_whole(struct umcc_instruction *it)
{
    const int i = whole_of(it, &it->is_wide);
    if (i < 0)
        return false;
    it->does = UMCC_WHOLE;
    it->class = whole[i].class;
    it->has_constant = it->operands && *it->operand[0].text == '$';
    it->parts = parts_of(it);
    it->compares = umcc_word_begins(it, "cmp") || umcc_word_begins(it, "test") || umcc_is_word(it, "bt");
    it->is_known = (it->operands && name_of(it->operand[it->operands - 1]) == named("%rsp")) ||
                   (umcc_word_begins(it, "xor") && is_same_twice(it));
    it->replaces = it->is_known;
    it->is_product = it->class == MULTIPLY && !it->is_wide;
    return true;
}

static bool read_instruction(const char *line, const char *end, struct umcc_instruction *it)
{
    if (!umcc_split_instruction(line, end, '#', "()", it))
        return false;
    if (!read_transfer(it) && !read_operation(it) && !read_move(it) && !read_sum(it) && !read_address(it))
        (void)read_whole(it);
    return true;
}

const struct umcc_machine umcc_x86_64 = {
    .read = read_instruction,
    .name_of = name_of,
    .register_at = register_at,
    .note =
        "\tpushq\t%%rax\n\tleaq\t.Lsegments+%u(%%rip), %%rax\n\tcall\t__tsan_segment@PLT\n\tpopq\t%%rax\n",
    .first = "\tleaq\t.Lsegments+%u(%%rip), %%rax\n", /* a call loses rax */
    .note_once = "",
    .call_by_table = "call\t*%2$.*1$s@GOTPCREL(%%rip)",
    .jump_by_table = "jmp\t*%2$.*1$s@GOTPCREL(%%rip)",
    .call = "call",
    .jump = "jmp",
    .comment = '#',
    .function = "@function",
    .pointer = ".quad"};
