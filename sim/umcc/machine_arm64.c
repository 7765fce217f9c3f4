/**
 * @file machine_arm64.c
 * @brief Implementation of machine.h for arm64.
 *
 * What an instruction makes is written first here, and comes last in struct umcc_instruction, but for what is
 * stored. Parts of whole numbers are those that x86-64's g++ has for the same, so that a kernel's price is no
 * matter of the processor that it is simulated on, as far as that goes.
 */
#include "machine.h"
#include "umsim/abi.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ADD UMSIM_WORK_ADD
#define LOGIC UMSIM_WORK_LOGIC
#define MULTIPLY UMSIM_WORK_MULTIPLY

/* ---- registers, and places on the stack ---- */

#define VECTORS 100
#define STACK_POINTER 200

/* Registers that a value is in: none of 0. The letter tells how much of it is meant. */
static size_t register_at(const char *p, const char *end)
{
    size_t length = 0;
    while (p + length < end && isalnum((unsigned char)p[length]))
        length++;
    if (length == 2 && memcmp(p, "sp", 2) == 0)
        return length;
    if (length < 2 || length > 3 || !strchr("wxbhsdqv", *p) || !isdigit((unsigned char)p[1]) ||
        (length == 3 && !isdigit((unsigned char)p[2])))
        return 0;
    return length;
}

static unsigned register_name(const char *p, size_t length)
{
    if (*p == 's' && p[1] == 'p')
        return STACK_POINTER;
    const unsigned number =
        (unsigned)(p[1] - '0') * (length > 2 ? 10 : 1) + (length > 2 ? (unsigned)(p[2] - '0') : 0);
    return *p == 'w' || *p == 'x' ? 1 + number : VECTORS + number;
}

/* A distance from the stack pointer that is a number. */
static unsigned name_of(struct umcc_operand operand)
{
    const char *end = operand.text + operand.length;
    const size_t length = operand.length ? register_at(operand.text, end) : 0;
    if (length)
        return register_name(operand.text, length);
    if (umcc_operand_begins(operand, "[sp]"))
        return UMCC_ON_STACK;
    if (!umcc_operand_begins(operand, "[sp, ") || end[-1] != ']')
        return 0;
    const char *number = operand.text + 5 + (operand.text[5] == '#');
    return isdigit((unsigned char)*number) ? UMCC_ON_STACK | (unsigned)strtoul(number, NULL, 10) : 0;
}

static char width_of(const struct umcc_instruction *it, int operand)
{
    return operand < it->operands ? *it->operand[operand].text : 0;
}

/* Of two numbers of 64 bits in a vector, or of one. */
static bool is_double(const struct umcc_instruction *it, int operand)
{
    const struct umcc_operand *o = &it->operand[operand];
    return width_of(it, operand) == 'd' ||
           (width_of(it, operand) == 'v' && memmem(o->text, o->length, ".2d", 3));
}

static bool is_any(const struct umcc_instruction *it, const char *const *words)
{
    while (*words && !umcc_is_word(it, *words))
        words++;
    return *words;
}

static bool is_number(struct umcc_operand operand)
{
    return operand.length && (isdigit((unsigned char)*operand.text) || *operand.text == '-' ||
                              (*operand.text == '#' && operand.length > 1 && operand.text[1] != ':'));
}

/* The first operand comes last: it is what is made. */
static void make_last(struct umcc_instruction *it)
{
    const struct umcc_operand first = it->operand[0];
    if (!it->operands)
        return;
    memmove(&it->operand[0], &it->operand[1], (size_t)(it->operands - 1) * sizeof first);
    it->operand[it->operands - 1] = first;
}

/* ---- transfers ---- */

static bool is_condition(const char *p, size_t length)
{
    static const char conditions[] = "eq ne cs hs cc lo mi pl vs vc hi ls ge lt gt le ";
    const char *at = length == 2 ? memmem(conditions, sizeof conditions, p, 2) : NULL;
    return at && (at - conditions) % 3 == 0;
}

/* Comparisons with 0, and of a bit, are in the jump. */
static bool read_transfer(struct umcc_instruction *it)
{
    static const char *const comparing[] = {"cbz", "cbnz", "tbz", "tbnz", NULL};
    const bool is_dotted = it->word > 1 && it->text[1] == '.';
    const bool is_goto = umcc_is_word(it, "b") || umcc_is_word(it, "br");
    if (umcc_is_word(it, "bl") || umcc_is_word(it, "blr")) {
        it->does = UMCC_CALL;
        it->result[0] = VECTORS;
        return true;
    }
    it->never_goes_on = is_goto || umcc_is_word(it, "ret") || umcc_is_word(it, "brk");
    it->stops = umcc_is_word(it, "brk");
    it->is_computed = umcc_is_word(it, "br");
    it->compares = is_any(it, comparing);
    if (it->compares) {
        it->class = LOGIC;
        it->parts = width_of(it, 0) == 'x' && *it->text == 'c' ? 2 : 1;
    }
    if (is_goto || it->compares ||
        (*it->text == 'b' && is_condition(it->text + 1 + is_dotted, it->word - 1 - is_dotted)))
        it->does = UMCC_JUMP;
    return it->does == UMCC_JUMP || it->never_goes_on;
}

/* ---- moves and choices ---- */

/* Loads and stores, and what changes no more than where a value is, its width, its sign or its order. */
static bool read_move(struct umcc_instruction *it)
{
    static const char *const moves[] = {"mov",  "fmov", "dup",  "ins",  "umov", "smov", "sxtw", "sxth",
                                        "sxtb", "uxtw", "uxth", "uxtb", "adrp", "adr",  "fneg", "fabs",
                                        "movz", "movn", "movi", "mvni", "rev",  NULL};
    static const char *const choices[] = {"csel", "csinc", "csinv", "csneg", "cset", "csetm",
                                          "cinc", "cinv",  "cneg",  "fcsel", NULL};
    const bool is_load = umcc_word_begins(it, "ldr") || umcc_word_begins(it, "ldur"),
               is_store = umcc_word_begins(it, "str") || umcc_word_begins(it, "stur");
    /* a byte's or a half's low part is a move on other processors */
    const bool is_low = umcc_is_word(it, "and") && it->operands == 3 &&
                        (umcc_is_operand(it->operand[2], "255") || umcc_is_operand(it->operand[2], "65535") ||
                         umcc_is_operand(it->operand[2], "4294967295"));
    const bool is_page = umcc_is_word(it, "add") && it->operands == 3 && memchr(it->operand[2].text, ':', 2);
    if (is_any(it, choices))
        it->does = UMCC_CHOICE;
    else if (is_any(it, moves) || is_load || is_store || is_low || is_page || umcc_word_begins(it, "frint"))
        it->does = UMCC_MOVE;
    else
        return false;
    it->replaces = true;
    if (!is_store)
        make_last(it);
    return true;
}

/* ---- floating-point numbers ---- */

static bool read_sum(struct umcc_instruction *it)
{
    static const char *const sums[] = {"fadd", "fsub", NULL}, *const products[] = {"fmul", "fnmul", NULL};
    if (!is_any(it, sums) && !is_any(it, products))
        return false;
    it->does = is_any(it, sums) ? UMCC_SUM : UMCC_PRODUCT;
    it->is_wide = is_double(it, 0);
    it->replaces = true;
    make_last(it);
    return true;
}

static const struct {
    const char *name;
    enum umcc_operation narrow, wide; /* by what is made, or compared */
} operations[] = {{"fdiv", UMCC_DIVIDE_SINGLE, UMCC_DIVIDE_DOUBLE},
                  {"fsqrt", UMCC_ROOT_SINGLE, UMCC_ROOT_DOUBLE},
                  {"fmin", UMCC_LESSER_SINGLE, UMCC_LESSER_DOUBLE},
                  {"fmax", UMCC_LESSER_SINGLE, UMCC_LESSER_DOUBLE},
                  {"fminnm", UMCC_LESSER_SINGLE, UMCC_LESSER_DOUBLE},
                  {"fmaxnm", UMCC_LESSER_SINGLE, UMCC_LESSER_DOUBLE},
                  {"fcmp", UMCC_COMPARE_SINGLE, UMCC_COMPARE_DOUBLE},
                  {"fcmpe", UMCC_COMPARE_SINGLE, UMCC_COMPARE_DOUBLE},
                  {"fccmp", UMCC_COMPARE_SINGLE, UMCC_COMPARE_DOUBLE},
                  {"fccmpe", UMCC_COMPARE_SINGLE, UMCC_COMPARE_DOUBLE},
                  {"fmadd", UMCC_FUSED_SINGLE, UMCC_FUSED_DOUBLE},
                  {"fmsub", UMCC_FUSED_SINGLE, UMCC_FUSED_DOUBLE},
                  {"fnmadd", UMCC_FUSED_SINGLE, UMCC_FUSED_DOUBLE},
                  {"fnmsub", UMCC_FUSED_SINGLE, UMCC_FUSED_DOUBLE},
                  {"sdiv", UMCC_DIVIDE_INT, UMCC_DIVIDE_LONG},
                  {"udiv", UMCC_DIVIDE_UNSIGNED, UMCC_DIVIDE_UNSIGNED_LONG},
                  {"clz", UMCC_BITS_OF_INT, UMCC_BITS_OF_LONG},
                  {"cnt", UMCC_BITS_OF_INT, UMCC_BITS_OF_INT}};

static bool is_conversion(const struct umcc_instruction *it)
{
    return umcc_word_begins(it, "scvtf") || umcc_word_begins(it, "ucvtf") || umcc_word_begins(it, "fcvt");
}

/* A comparison makes of the first number what the second one is not, as on other processors. */
static bool read_operation(struct umcc_instruction *it)
{
    size_t i = 0;
    while (i < sizeof operations / sizeof operations[0] && !umcc_is_word(it, operations[i].name))
        i++;
    const bool is_listed = i < sizeof operations / sizeof operations[0];
    if (!is_listed && !is_conversion(it))
        return false;
    it->does = UMCC_OPERATION;
    it->is_wide = width_of(it, 0) == 'x' || is_double(it, 0);
    if (is_listed)
        it->operation = it->is_wide ? operations[i].wide : operations[i].narrow;
    else
        it->operation = umcc_is_word(it, "scvtf") && width_of(it, 0) == 's' &&
                                (width_of(it, 1) == 'w' || width_of(it, 1) == 's')
                            ? UMCC_SINGLE_FROM_INT
                            : UMCC_CONVERT;
    it->is_chained = umcc_word_begins(it, "fccmp");
    it->replaces = it->operation != UMCC_COMPARE_SINGLE && it->operation != UMCC_COMPARE_DOUBLE;
    make_last(it);
    return true;
}

/* ---- whole numbers ---- */

static const struct whole {
    const char *name;
    uint8_t class, parts, wide_parts;
    bool compares;
} whole[] = {
    {"add", ADD, 1, 2, false},         {"adds", ADD, 1, 2, false},        {"sub", ADD, 1, 2, false},
    {"subs", ADD, 1, 2, false},        {"adc", ADD, 1, 2, false},         {"sbc", ADD, 1, 2, false},
    {"neg", ADD, 1, 2, false},         {"negs", ADD, 1, 2, false},        {"mul", MULTIPLY, 1, 4, false},
    {"mneg", MULTIPLY, 1, 4, false},   {"madd", MULTIPLY, 1, 6, false},   {"msub", MULTIPLY, 1, 6, false},
    {"smull", MULTIPLY, 4, 4, false},  {"umull", MULTIPLY, 4, 4, false},  {"smulh", MULTIPLY, 4, 4, false},
    {"umulh", MULTIPLY, 4, 4, false},  {"smaddl", MULTIPLY, 6, 6, false}, {"umaddl", MULTIPLY, 6, 6, false},
    {"smsubl", MULTIPLY, 6, 6, false}, {"umsubl", MULTIPLY, 6, 6, false}, {"smnegl", MULTIPLY, 6, 6, false},
    {"umnegl", MULTIPLY, 6, 6, false}, {"and", LOGIC, 1, 2, false},       {"ands", LOGIC, 1, 2, false},
    {"orr", LOGIC, 1, 2, false},       {"orn", LOGIC, 1, 2, false},       {"eor", LOGIC, 1, 2, false},
    {"eon", LOGIC, 1, 2, false},       {"bic", LOGIC, 1, 2, false},       {"bics", LOGIC, 1, 2, false},
    {"mvn", LOGIC, 1, 2, false},       {"ror", LOGIC, 1, 2, false},       {"lsl", LOGIC, 1, 2, false},
    {"lsr", LOGIC, 1, 2, false},       {"asr", LOGIC, 1, 2, false},       {"extr", LOGIC, 1, 2, false},
    {"ubfiz", LOGIC, 1, 0, false},     {"sbfiz", LOGIC, 1, 0, false},     {"ubfx", LOGIC, 2, 4, false},
    {"sbfx", LOGIC, 2, 4, false},      {"bfi", LOGIC, 2, 4, false},       {"bfxil", LOGIC, 2, 4, false},
    {"rev32", LOGIC, 1, 2, false},     {"rev16", LOGIC, 1, 2, false},     {"cmp", LOGIC, 1, 2, true},
    {"cmn", LOGIC, 1, 2, true},        {"tst", LOGIC, 1, 2, true},        {"ccmp", LOGIC, 1, 2, true},
    {"ccmn", LOGIC, 1, 2, true}};

static const struct whole *whole_of(const struct umcc_instruction *it)
{
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (umcc_is_word(it, whole[i].name))
            return &whole[i];
    return NULL;
}

/* Whether the last operand says how the one before is shifted, or made longer. */
static bool is_shifted(const struct umcc_instruction *it)
{
    static const char *const words[] = {"lsl",  "lsr",  "asr",  "ror",  "sxtw", "uxtw", "sxtb",
                                        "uxtb", "sxth", "uxth", "sxtx", "uxtx", NULL};
    const struct umcc_operand last = it->operand[it->operands - 1];
    for (int i = 0; words[i] && it->operands > 2; i++)
        if (umcc_operand_begins(last, words[i]))
            return true;
    return false;
}

/* A sum of 64 bits that is put elsewhere is an address, which x86-64 has an instruction for. */
static bool is_address(const struct umcc_instruction *it)
{
    if (!umcc_is_word(it, "add") || it->operands < 3 || width_of(it, 0) != 'x')
        return false;
    const unsigned made = name_of(it->operand[0]);
    return is_shifted(it) || (made != name_of(it->operand[1]) && made != name_of(it->operand[2]));
}

static bool read_address(struct umcc_instruction *it)
{
    if (!is_address(it))
        return false;
    it->does = UMCC_ADDRESS;
    it->is_wide = it->replaces = true;
    it->is_distance = is_number(it->operand[2]);
    it->is_known = name_of(it->operand[1]) == STACK_POINTER;
    make_last(it);
    return true;
}

/* Whether it moves a half of 64 bits, which has a register of its own on a GPU. */
static bool is_of_half(const struct umcc_instruction *it)
{
    static const char *const words[] = {"lsl",  "lsr",  "asr",   "bfi",   "bfxil",
                                        "ubfx", "sbfx", "ubfiz", "sbfiz", NULL};
    const struct umcc_operand *by = &it->operand[2];
    return is_any(it, words) && it->operands > 2 && width_of(it, 0) == 'x' &&
           (umcc_is_operand(*by, "32") || (umcc_is_operand(*by, "0") && umcc_is_operand(by[1], "32")));
}

static bool read_whole(struct umcc_instruction *it)
{
    const struct whole *found = whole_of(it);
    if (!found || !it->operands)
        return false;
    const bool shifts = umcc_is_word(it, "lsl");
    it->does = UMCC_WHOLE;
    it->class = found->class;
    it->compares = found->compares;
    it->is_wide = width_of(it, 0) == 'x';
    it->has_constant = is_number(it->operand[found->compares && it->operands > 1 ? 1 : it->operands - 1]);
    it->parts = it->is_wide ? found->wide_parts : found->parts;
    if (is_of_half(it) || (shifts && it->is_wide && it->has_constant)) /* that is part of an address */
        it->parts = 0;
    else if (is_shifted(it) && !(it->class == ADD && umcc_word_begins(it, "add")))
        it->parts += it->is_wide ? 0 : 1;
    it->is_chained = umcc_word_begins(it, "ccm");
    it->is_known = name_of(it->operand[0]) == STACK_POINTER;
    it->is_product = umcc_is_word(it, "mul") && !it->is_wide;
    it->replaces = !it->compares && !umcc_word_begins(it, "bf");
    if (!it->compares)
        make_last(it);
    return true;
}

/* What else there is costs nothing, but makes what it makes of its other operands: not of what was there
 * before. Two that are loaded at once are there. */
static void read_other(struct umcc_instruction *it)
{
    if (umcc_is_word(it, "ldp") && it->operands == 3) {
        it->result[0] = name_of(it->operand[0]);
        it->result[1] = name_of(it->operand[1]);
    } else if (it->operands > 1 && !umcc_is_word(it, "stp") && !umcc_is_word(it, "movk")) {
        it->does = UMCC_MOVE;
        it->replaces = true;
        make_last(it);
    }
}

static bool read_instruction(const char *line, const char *end, struct umcc_instruction *it)
{
    if (!umcc_split_instruction(line, end, '/', "[]", it))
        return false;
    if (!read_transfer(it) && !read_move(it) && !read_sum(it) && !read_operation(it) && !read_address(it) &&
        !read_whole(it))
        read_other(it);
    return true;
}

/* ---- symbols ---- */

/* Nothing keeps a function from being called x1 or lsl. In an instruction symbols are what these have last
 * and in no brackets, and what stands behind a relocation's name, as in `:lo12:x1`. */
static bool takes_symbol(const struct umcc_instruction *it)
{
    static const char *const words[] = {"b",    "bl",  "cbz", "cbnz",  "tbz",  "tbnz",
                                        "adrp", "adr", "ldr", "ldrsw", "prfm", NULL};
    const size_t dotted = it->word > 1 && it->text[1] == '.';
    return is_any(it, words) ||
           (*it->text == 'b' && is_condition(it->text + 1 + dotted, it->word - 1 - dotted));
}

/* Directives that have registers, or names of processors. */
static bool has_no_symbol(const char *p, size_t length)
{
    static const char *const of_symbols[] = {".cfi_personality", ".cfi_lsda"};
    static const char *const others[] = {".arch", ".cpu", ".cfi_"};
    struct umcc_operand directive = {p, length};
    bool is_other = false;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        is_other |= umcc_operand_begins(directive, others[i]);
    for (size_t i = 0; i < sizeof of_symbols / sizeof of_symbols[0]; i++)
        is_other &= !umcc_is_operand(directive, of_symbols[i]);
    return is_other;
}

/* Where the statement begins that the word is in: behind labels, and behind others of the line. */
static const char *statement_of(const char *line, const char *word)
{
    const char *begin = line;
    for (const char *p = line; p < word; p++)
        if (*p == ';' || (*p == ':' && isspace((unsigned char)p[1])))
            begin = p + 1;
    while (begin < word && isspace((unsigned char)*begin))
        begin++;
    return begin;
}

/* Labels of g++'s own begin with a point, as no register does. */
static bool is_symbol(const char *line, const char *word, const char *end)
{
    const char *begin = statement_of(line, word), *p = word;
    if (begin == word || *word == '.')
        return true;
    struct umcc_instruction it = {.text = begin};
    while (isalnum((unsigned char)begin[it.word]) || begin[it.word] == '.' || begin[it.word] == '_')
        it.word++;
    if (*begin == '.' || begin[it.word] == ':')
        return !has_no_symbol(begin, it.word);
    while (p < end && (isalnum((unsigned char)*p) || strchr("_.$", *p) || (*p & 0x80)))
        p++;
    if (word[-1] == ':')
        return p == end || *p != ':';
    while (p < end && !strchr(",;/\n", *p))
        p++;
    return takes_symbol(&it) && (p == end || *p != ',') && !memchr(begin, '[', (size_t)(word - begin));
}

/* A note keeps x16 and the address to return to; what it calls keeps x15 and x17, and takes them back in
 * umsim_hook_segment() (sim/count/segments.c). */
const struct umcc_machine umcc_arm64 = {
    .read = read_instruction,
    .name_of = name_of,
    .register_at = register_at,
    .is_symbol = is_symbol,
    .note = "\tstp\tx16, x30, [sp, -16]!\n\tadrp\tx16, .Lsegments+%1$u\n"
            "\tadd\tx16, x16, :lo12:.Lsegments+%1$u\n\tbl\t.Lsegment\n\tldp\tx16, x30, [sp], 16\n",
    .first = "\tb\t.+8\n\t.word\t.Lsegments+%u-.\n",
    .note_once = "\t.text\n\t.align\t2\n.Lsegment:\n\tstp\tx15, x17, [sp, -16]!\n"
                 "\tadrp\tx17, :got:umsim_hook_segment\n"
                 "\tldr\tx17, [x17, :got_lo12:umsim_hook_segment]\n\tbr\tx17\n",
    .call_by_table = "adrp\tx16, :got:%2$.*1$s\n\tldr\tx16, [x16, :got_lo12:%2$.*1$s]\n\tblr\tx16",
    .jump_by_table = "adrp\tx16, :got:%2$.*1$s\n\tldr\tx16, [x16, :got_lo12:%2$.*1$s]\n\tbr\tx16",
    .call = "bl",
    .jump = "b",
    .comment = '/',
    .function = "%function",
    .pointer = ".xword"};
