/**
 * @file work.c
 * @brief Implementation of segments.h: what an instruction of x86-64 is on a GPU.
 *
 * Both compile the same source, so the operations that a program asks for are in both texts. What differs:
 *
 * - A GPU adds to a product in one instruction, and folds constant distances into addresses. Numbers of 64
 *   bits are made of two of 32.
 * - It has registers for everything that g++ keeps on the stack, and none of g++'s moves.
 * - Loops whose end can be reckoned are unrolled, by 4, and small ones by 16: of what ends a pass little is
 *   left.
 * - Division, roots and functions are made of several instructions. Their figures are from an H200's times of
 *   tests/cost (arithmetic.cu), less the step that is around them there. Those of functions that are not
 * there are estimates.
 *
 * Accesses to memory are not here: they are counted where they are made (sim/count/hooks.c).
 */
#include "segments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ONE UMSIM_WORK_ONE
/* Until a result is there, clocks. */
#define CLOCKS 4
#define DOUBLE_CLOCKS 8

/* An operation that is one by its name. `clocks`: until its result is there. */
struct operation {
    const char *name;
    struct {
        uint8_t class;
        uint16_t instructions;
    } part[3];
    unsigned clocks;
    bool replaces; /* its result does not need what was there before */
};

#define SINGLE UMSIM_WORK_SINGLE
#define DOUBLE UMSIM_WORK_DOUBLE
#define SPECIAL UMSIM_WORK_SPECIAL
#define CONVERT UMSIM_WORK_CONVERT
#define LOGIC UMSIM_WORK_LOGIC
#define ADD UMSIM_WORK_ADD
#define MULTIPLY UMSIM_WORK_MULTIPLY
#define OTHER UMSIM_WORK_OTHER
#define DIVIDE UMSIM_WORK_DIVIDE

static const struct operation operations[] = {
    {"divss", {{SINGLE, 9}, {SPECIAL, 1}, {OTHER, 7}}, 60, false},
    {"divsd", {{DOUBLE, 10}, {SPECIAL, 1}, {OTHER, 8}}, 120, false},
    {"sqrtss", {{SINGLE, 6}, {SPECIAL, 1}, {OTHER, 5}}, 50, true},
    {"sqrtsd", {{DOUBLE, 9}, {SPECIAL, 1}, {OTHER, 8}}, 110, true},
    {"minss", {{LOGIC, 1}}, 4, false},
    {"maxss", {{LOGIC, 1}}, 4, false},
    {"minsd", {{LOGIC, 3}}, 12, false},
    {"maxsd", {{LOGIC, 3}}, 12, false},
    {"comiss", {{LOGIC, 1}}, 0, false},
    {"ucomiss", {{LOGIC, 1}}, 0, false},
    {"comisd", {{DOUBLE, 1}}, 0, false},
    {"ucomisd", {{DOUBLE, 1}}, 0, false},
    {"cvtsi2ssl", {{LOGIC, 1}}, 4, true},
    {"cvtsi2ss", {{LOGIC, 1}}, 4, true},
    {"cvtsi2ssq", {{CONVERT, 1}}, 20, true},
    {"cvtsi2sdl", {{CONVERT, 1}}, 20, true},
    {"cvtsi2sd", {{CONVERT, 1}}, 20, true},
    {"cvtsi2sdq", {{CONVERT, 1}}, 20, true},
    {"cvttss2sil", {{CONVERT, 1}}, 20, true},
    {"cvttss2siq", {{CONVERT, 1}}, 20, true},
    {"cvttsd2sil", {{CONVERT, 1}}, 20, true},
    {"cvttsd2siq", {{CONVERT, 1}}, 20, true},
    {"cvtss2sd", {{CONVERT, 1}}, 20, true},
    {"cvtsd2ss", {{CONVERT, 1}}, 20, true},
    {"idivl", {{MULTIPLY, 3}, {SPECIAL, 1}, {OTHER, 10}}, 80, false},
    {"divl", {{MULTIPLY, 3}, {SPECIAL, 1}, {OTHER, 8}}, 70, false},
    {"idivq", {{MULTIPLY, 30}, {SPECIAL, 2}, {OTHER, 75}}, 400, false},
    {"divq", {{MULTIPLY, 30}, {SPECIAL, 2}, {OTHER, 65}}, 400, false},
    {"bsfl", {{SPECIAL, 1}}, 20, true},
    {"bsrl", {{SPECIAL, 1}}, 20, true},
    {"bsfq", {{SPECIAL, 2}}, 24, true},
    {"bsrq", {{SPECIAL, 2}}, 24, true},
    {"popcntl", {{SPECIAL, 1}}, 20, true},
    {"popcntq", {{SPECIAL, 2}}, 24, true},
    {NULL, {{0, 0}}, 0, false}};

/* Functions that are called: C's, and those of the library's headers, whose names end where types begin. */
static const struct operation functions[] = {
    {"sinf", {{SINGLE, 12}, {ADD, 6}, {OTHER, 10}}, 100, true},
    {"cosf", {{SINGLE, 12}, {ADD, 6}, {OTHER, 10}}, 100, true},
    {"tanf", {{SINGLE, 16}, {ADD, 6}, {SPECIAL, 1}}, 130, true},
    {"expf", {{SINGLE, 6}, {SPECIAL, 1}, {OTHER, 2}}, 40, true},
    {"exp2f", {{SINGLE, 3}, {SPECIAL, 1}, {OTHER, 1}}, 30, true},
    {"exp10f", {{SINGLE, 7}, {SPECIAL, 1}, {OTHER, 2}}, 44, true},
    {"logf", {{SINGLE, 14}, {CONVERT, 1}, {OTHER, 5}}, 80, true},
    {"log2f", {{SINGLE, 3}, {SPECIAL, 1}, {OTHER, 2}}, 40, true},
    {"log10f", {{SINGLE, 15}, {CONVERT, 1}, {OTHER, 5}}, 84, true},
    {"powf", {{SINGLE, 32}, {SPECIAL, 2}, {OTHER, 22}}, 200, true},
    {"tanhf", {{SINGLE, 9}, {SPECIAL, 2}, {OTHER, 5}}, 90, true},
    {"sin", {{DOUBLE, 18}, {MULTIPLY, 4}, {OTHER, 12}}, 250, true},
    {"cos", {{DOUBLE, 18}, {MULTIPLY, 4}, {OTHER, 12}}, 250, true},
    {"exp", {{DOUBLE, 16}, {ADD, 4}, {OTHER, 4}}, 170, true},
    {"log", {{DOUBLE, 21}, {ADD, 8}, {OTHER, 8}}, 230, true},
    {"pow", {{DOUBLE, 75}, {ADD, 20}, {OTHER, 25}}, 700, true},
    {"fmaf", {{SINGLE, 1}}, CLOCKS, true},
    {"fma", {{DOUBLE, 1}}, DOUBLE_CLOCKS, true},
    {"fminf", {{LOGIC, 1}}, CLOCKS, true},
    {"fmaxf", {{LOGIC, 1}}, CLOCKS, true},
    {"__popcountdi2", {{SPECIAL, 1}}, 20, true},
    {"rsqrtf", {{SINGLE, 2}, {SPECIAL, 1}}, 40, true},
    {"rsqrt", {{DOUBLE, 7}, {SPECIAL, 1}, {OTHER, 4}}, 100, true},
    {"__frsqrt_rn", {{SINGLE, 8}, {SPECIAL, 1}, {OTHER, 4}}, 60, true},
    {"__frcp_rn", {{SINGLE, 6}, {SPECIAL, 1}, {OTHER, 4}}, 50, true},
    {"__sinf", {{SINGLE, 1}, {SPECIAL, 1}}, 24, true},
    {"__cosf", {{SINGLE, 1}, {SPECIAL, 1}}, 24, true},
    {"__tanf", {{SINGLE, 2}, {SPECIAL, 3}}, 60, true},
    {"__expf", {{SINGLE, 3}, {SPECIAL, 1}}, 30, true},
    {"__exp10f", {{SINGLE, 3}, {SPECIAL, 1}}, 30, true},
    {"__logf", {{SINGLE, 3}, {SPECIAL, 1}}, 30, true},
    {"__log2f", {{SINGLE, 2}, {SPECIAL, 1}}, 28, true},
    {"__log10f", {{SINGLE, 3}, {SPECIAL, 1}}, 30, true},
    {"__powf", {{SINGLE, 4}, {SPECIAL, 2}}, 56, true},
    {"fdividef", {{SINGLE, 3}, {SPECIAL, 1}}, 36, true},
    {"__fdividef", {{SINGLE, 3}, {SPECIAL, 1}}, 36, true},
    {"_ZN5umsim7defined8saturate", {{CONVERT, 1}}, 20, true},
    {NULL, {{0, 0}}, 0, false}};
/* Numbers of 16 bits, one or two at a time: what begins with __h, and what begins so. */
static const char *const conversions[] = {"__float2",      "__float22", "__floats2", "__half2float",
                                          "__half22float", "__low2",    "__high2",   "__lows2",
                                          "__bfloat",      NULL};
static const struct operation conversion = {"", {{CONVERT, 1}}, 20, true},
                              halves = {"", {{SINGLE, 1}}, CLOCKS, true};

static const struct operation *operation_of(const struct umcc_instruction *it)
{
    const struct operation *op = operations;
    while (op->name && !umcc_is_word(it, op->name))
        op++;
    return op->name ? op : NULL;
}

static bool starts(const char *p, const char *end, const char *name)
{
    const size_t length = strlen(name);
    return (size_t)(end - p) >= length && memcmp(p, name, length) == 0;
}

static bool starts_any(const char *p, const char *end, const char *const *names)
{
    while (*names && !starts(p, end, *names))
        names++;
    return *names;
}

static const struct operation *function_of(const struct umcc_instruction *it)
{
    const char *p = it->operand[0].text, *end = p + it->operand[0].length;
    const bool is_mangled = starts(p, end, "_Z") && isdigit((unsigned char)p[2]);
    const size_t digits = is_mangled ? strspn(p + 2, "0123456789") : 0;
    const char *name = is_mangled ? p + 2 + digits : p;
    const size_t named = is_mangled ? strtoul(p + 2, NULL, 10) : 0;
    if (is_mangled && starts_any(name, end, conversions))
        return &conversion;
    if (is_mangled && starts(name, end, "__h"))
        return &halves;
    for (const struct operation *op = functions; op->name; op++) {
        const size_t length = strlen(op->name);
        if (starts(name, end, op->name) &&
            (is_mangled ? named == length : name + length == end || name[length] == '@' || *op->name == '_'))
            return op;
    }
    return NULL;
}

bool umcc_is_step(const struct umcc_instruction *it)
{
    const char *p = it->operand[0].text, *end = p + it->operand[0].length;
    static const char *const apart[] = {"_ZN5umsim7shuffleI", "_ZN5umsim9from_laneI", "_ZN6nvcuda", NULL};
    static const char *const of_16_bits[] = {"half", "binary16", "bfloat", NULL};
    const char *in = starts(p, end, "_ZN5umsim") ? p + strlen("_ZN5umsim") : end;
    in += in < end ? strspn(in, "0123456789") : 0;
    if (starts_any(p, end, apart) || starts_any(in, end, of_16_bits))
        return true;
    return function_of(it);
}

static void add_operation(const struct operation *op, unsigned *work)
{
    for (int i = 0; i < 3; i++)
        work[op->part[i].class] += op->part[i].instructions * ONE;
    work[DIVIDE] += strstr(op->name, "div") == op->name || strstr(op->name, "idiv") == op->name ? ONE : 0;
}

/* Sums and products of floating-point numbers: add, sub, mul, and whether of double ones. */
static bool weigh_sum(const struct umcc_instruction *it, struct umcc_values *values, unsigned *work)
{
    const bool is_mul = umcc_word_begins(it, "mul"),
               is_add = umcc_word_begins(it, "add") || umcc_word_begins(it, "sub");
    const char *type = it->text + 3;
    if (it->word != 5 || (type[0] != 's' && type[0] != 'p') || (type[1] != 's' && type[1] != 'd') ||
        (!is_mul && !is_add))
        return false;
    const bool is_double = type[1] == 'd', is_free = is_add && umcc_adds_to_product(values, it);
    work[is_double ? DOUBLE : SINGLE] += is_free ? 0 : ONE;
    umcc_make_value(values, it,
                    (struct umcc_making){false, is_double ? DOUBLE_CLOCKS : CLOCKS, is_mul, is_free});
    return true;
}

static bool is_immediate(const struct umcc_instruction *it)
{
    return it->operands && *it->operand[0].text == '$';
}

static bool is_same_twice(const struct umcc_instruction *it)
{
    return it->operands == 2 && it->operand[0].length == it->operand[1].length &&
           memcmp(it->operand[0].text, it->operand[1].text, it->operand[0].length) == 0;
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

/* How many instructions: numbers of 64 bits take two, but a shift by a constant is part of an address. */
static unsigned parts_of(const struct umcc_instruction *it, uint8_t class, bool is_wide)
{
    if (!is_wide)
        return 1;
    if (class == MULTIPLY)
        return 4;
    if (is_immediate(it) && (umcc_word_begins(it, "sal") || umcc_word_begins(it, "shl")))
        return 0;
    return 2;
}

bool umcc_compares(const struct umcc_instruction *it)
{
    return umcc_word_begins(it, "cmp") || umcc_word_begins(it, "test");
}

bool umcc_is_even_step(const struct umcc_instruction *it, const struct umcc_instruction *compared)
{
    bool is_wide;
    const int i = whole_of(it, &is_wide);
    if (i < 0 || whole[i].class != ADD || (!is_immediate(it) && it->operands != 1))
        return false;
    const unsigned name = umcc_name_of(it->operand[it->operands - 1]);
    for (int k = 0; compared && k < compared->operands; k++)
        if (name && umcc_name_of(compared->operand[k]) == name)
            return true;
    return !compared;
}

static bool weigh_whole(const struct umcc_instruction *it, struct umcc_values *values,
                        struct umcc_place_of_work place, unsigned *work)
{
    bool is_wide = false;
    const int i = whole_of(it, &is_wide);
    if (i < 0)
        return false;
    const bool compares = umcc_compares(it) || umcc_is_word(it, "bt");
    const bool is_stack_pointer = it->operands && umcc_name_of(it->operand[it->operands - 1]) ==
                                                      umcc_name_of((struct umcc_operand){"%rsp", 4});
    const bool is_mul = whole[i].class == MULTIPLY && !is_wide;
    const bool is_free = whole[i].class == ADD && !is_wide && umcc_adds_to_product(values, it);
    const bool is_nothing = is_stack_pointer || (umcc_word_begins(it, "xor") && is_same_twice(it));
    const bool is_step = place.ends_loop && (compares || (whole[i].class == ADD && is_immediate(it)));
    const unsigned all = is_nothing || is_free || (compares && place.is_guard)
                             ? 0
                             : ONE * parts_of(it, whole[i].class, is_wide) / (is_step ? place.unrolled : 1);
    work[whole[i].class] += all;
    if (!compares)
        umcc_make_value(
            values, it,
            (struct umcc_making){is_nothing, (is_step || !all) && !is_free ? 0 : CLOCKS, is_mul, is_free});
    return true;
}

static bool weigh_address(const struct umcc_instruction *it, struct umcc_values *values, unsigned *work)
{
    if (!umcc_word_begins(it, "lea") || it->operands != 2)
        return false;
    const char *comma = memchr(it->operand[0].text, ',', it->operand[0].length);
    const bool is_wide = it->text[3] == 'q', is_distance = !comma && is_wide;
    if (!is_distance && !umcc_is_stack(it->operand[0]))
        work[is_wide ? MULTIPLY : ADD] += ONE;
    umcc_make_value(values, it, (struct umcc_making){true, is_distance ? 0 : CLOCKS, false, false});
    return true;
}

/* Of a division by one operand, and of a call, the operand is not where the result is. */
static void make_result(struct umcc_values *values, const struct umcc_instruction *it,
                        const struct operation *op)
{
    static const char *const names[] = {"%eax", "%edx", "%xmm0"};
    const bool is_division =
        op && it->operands == 1 && (umcc_word_begins(it, "div") || umcc_word_begins(it, "idiv"));
    if (!is_division && !umcc_is_word(it, "call")) {
        umcc_make_value(values, it, (struct umcc_making){op->replaces, op->clocks, false, false});
        return;
    }
    struct umcc_value *first = umcc_value_of(
        values, umcc_name_of((struct umcc_operand){names[is_division ? 0 : 2], 4 + !is_division}));
    const struct umcc_value before = first && op ? *first : (struct umcc_value){0};
    for (int i = is_division ? 0 : 2; i < (is_division ? 2 : 3); i++) {
        struct umcc_value *result =
            umcc_value_of(values, umcc_name_of((struct umcc_operand){names[i], strlen(names[i])}));
        if (result)
            *result = (struct umcc_value){.name = result->name,
                                          .is_made = true,
                                          .from = before.from,
                                          .clocks = before.clocks + (op ? op->clocks : 0),
                                          .depth = before.depth + (op ? op->clocks : 0)};
    }
}

static bool is_access(struct umcc_operand callee)
{
    static const char *const hooks[] = {"__tsan_read", "__tsan_write", "__asan_load", "__asan_store"};
    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
        if (callee.length > strlen(hooks[i]) && memcmp(callee.text, hooks[i], strlen(hooks[i])) == 0)
            return true;
    return false;
}

void umcc_weigh(const struct umcc_instruction *it, struct umcc_values *values,
                struct umcc_place_of_work place, unsigned work[UMSIM_WORK_CLASSES])
{
    const bool is_call = umcc_is_word(it, "call");
    const struct operation *op = is_call ? function_of(it) : operation_of(it);
    if (op || (is_call && it->operands && !memchr(it->operand[0].text, '_', 2))) {
        if (op)
            add_operation(op, work);
        make_result(values, it, op);
    } else if (is_call) {
        if (place.is_in_loop && it->operands && is_access(it->operand[0])) {
            work[MULTIPLY] += ONE;
            work[LOGIC] += ONE;
        }
    } else if (*it->text == 'j' && umcc_jump_target(it).length) {
        work[OTHER] += umcc_is_word(it, "jmp") || place.is_guard ? 0
                       : place.ends_loop                         ? ONE / place.unrolled
                                                                 : ONE;
    } else if (umcc_word_begins(it, "set") || umcc_word_begins(it, "cmov")) {
        work[LOGIC] += ONE;
        umcc_make_value(values, it, (struct umcc_making){umcc_word_begins(it, "set"), CLOCKS, false, false});
    } else if (umcc_word_begins(it, "mov") || umcc_word_begins(it, "cvt") || umcc_word_begins(it, "unpck") ||
               umcc_word_begins(it, "shuf")) {
        struct umcc_value *from = umcc_value_of(values, umcc_name_of(it->operand[0]));
        umcc_make_value(values, it, (struct umcc_making){true, 0, from && from->is_product, false});
    } else if (!weigh_sum(it, values, work) && !weigh_address(it, values, work)) {
        weigh_whole(it, values, place, work);
    }
}
